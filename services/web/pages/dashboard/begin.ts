const root = document.getElementById('root');

// What the server wrote is painted before the script takes the processor; a page that is hidden is not painted at all.
if (root?.hasChildNodes() && document.visibilityState === 'visible') {
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}
await import('./main.tsx');

export {};
