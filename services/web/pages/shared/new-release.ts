const MARK = 'reloaded-for-release';
const ANSWER_TIMEOUT_MS = 5_000;

/** Reloads the page when a style or script file of the page no longer exists. */
export function reloadOnceForNewRelease(): void {
  window.addEventListener('vite:preloadError', reloadAfterMissingFile);
  window.addEventListener('load', () => {
    setTimeout(() => sessionStorage.removeItem(MARK), 60_000);
  });
}

/**
 * Reloads the page after a file did not load, because a new release has other files. Reloads only once, so
 * that a second failure is an error. Never reloads without a connection, because the page would be lost.
 */
export async function reloadAfterMissingFile(): Promise<void> {
  if (sessionStorage.getItem(MARK) !== null) return;
  if (!(await doesServerAnswer())) return;
  sessionStorage.setItem(MARK, '1');
  location.reload();
}

/** Returns whether the server answers at all. Any status is an answer. */
function doesServerAnswer(): Promise<boolean> {
  const request = fetch('/login', {
    method: 'HEAD',
    cache: 'no-store',
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
  return request.then(
    () => true,
    () => false,
  );
}
