import './style.css';
import { showOwnAddresses } from './client/addresses.ts';
import { wireCode } from './client/code.ts';
import { wireSearch } from './client/search.ts';

/** Scrolls the sidebar to the link of the current page. */
const current = document.querySelector<HTMLElement>('.sidebar [aria-current]');
const list = current?.closest<HTMLElement>('.sidebar');
if (current && list) list.scrollTop = current.offsetTop - list.clientHeight / 2;

wireTheme();
wireLanguage();
wireCode();
wireSearch();
await showOwnAddresses();

function wireTheme(): void {
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

/**
 * Keeps the anchor when the reader changes the language of a reference page, because both languages have the
 * same anchors.
 */
function wireLanguage(): void {
  const link = document.querySelector<HTMLAnchorElement>('[data-language-switch]');
  link?.addEventListener('click', () => {
    link.hash = location.pathname.includes('/reference/') ? location.hash : '';
  });
}
