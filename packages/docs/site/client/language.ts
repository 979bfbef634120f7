/** The other language opens at the same place: anchors of the reference are the same in both. */
export function wireLanguage(): void {
  const link = document.querySelector<HTMLAnchorElement>('[data-language-switch]');
  link?.addEventListener('click', () => {
    link.hash = location.pathname.includes('/reference/') ? location.hash : '';
  });
}
