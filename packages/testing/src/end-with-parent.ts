const CHECK_EVERY_MS = 1_000;

/**
 * Ends this process with SIGINT when its parent process has ended. Otherwise this process would continue
 * after the test run was killed.
 */
export function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGINT');
  }, CHECK_EVERY_MS).unref();
}
