const CHECK_EVERY_MS = 1_000;

/** Ends this process with SIGINT when its parent is gone, so that a killed run leaves no process behind. */
export function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGINT');
  }, CHECK_EVERY_MS).unref();
}
