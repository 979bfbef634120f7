const root = document.getElementById('root');

// Waits until the browser has painted the server's HTML, and then runs the script. A hidden page is never
// painted, so the script does not wait.
if (root?.hasChildNodes() && document.visibilityState === 'visible') {
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}
await import('./main.tsx');

export {};
