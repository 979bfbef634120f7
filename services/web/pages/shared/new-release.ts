const MARK = 'reloaded-for-release';

/**
 * Reloads the page when a file of an earlier release no longer exists. It reloads only once, so a second
 * failure is an error.
 */
export function reloadOnceForNewRelease(): void {
  window.addEventListener('vite:preloadError', (event) => {
    if (sessionStorage.getItem(MARK) !== null) return;
    sessionStorage.setItem(MARK, '1');
    event.preventDefault();
    location.reload();
  });
  window.addEventListener('load', () => {
    setTimeout(() => sessionStorage.removeItem(MARK), 60_000);
  });
}
