/** The time after which a page says that an answer takes long. */
export const SLOW_AFTER_MS = 4_000;

/** Shows a text below the page after four seconds. The returned function prevents or removes the text. */
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
