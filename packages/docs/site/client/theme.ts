/** Changes the theme, and keeps what was chosen. */
export function wireTheme(): void {
  const root = document.documentElement;
  document.querySelector('[data-theme-switch]')?.addEventListener('click', () => {
    const isDark = (root.dataset.theme ?? (prefersDark() ? 'dark' : 'light')) === 'dark';
    root.dataset.theme = isDark ? 'light' : 'dark';
    localStorage.setItem('docs-theme', root.dataset.theme);
  });
}

function prefersDark(): boolean {
  return matchMedia('(prefers-color-scheme: dark)').matches;
}
