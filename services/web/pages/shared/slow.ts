/** The time after which a page says that an answer takes long. */
export const SLOW_AFTER_MS = 4_000;

/** Shows a text below the page when nothing stops it within four seconds. Returns the function that stops it. */
export function sayWhenSlow(text: string): () => void {
  const notice = document.createElement('p');
  notice.setAttribute('role', 'status');
  notice.className = 'slow';
  const timer = setTimeout(() => {
    notice.textContent = text;
    document.body.append(notice);
  }, SLOW_AFTER_MS);
  return () => {
    clearTimeout(timer);
    notice.remove();
  };
}
