const root = document.getElementById('root');

// Waits until the server's HTML is painted before the script runs. A hidden page is never painted.
if (root?.hasChildNodes() && document.visibilityState === 'visible') {
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}
await import('./main.tsx');

export {};
