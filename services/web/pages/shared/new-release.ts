const MARK = 'reloaded-for-release';

/** A chunk of an earlier release is gone: the page loads itself anew, once, and fails the second time. */
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
