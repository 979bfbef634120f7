const CHECK_EVERY_MS = 1_000;

/** Ends this process, as by Ctrl-C, once the process that started it is gone: a killed run leaves nothing behind. */
export function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGINT');
  }, CHECK_EVERY_MS).unref();
}
