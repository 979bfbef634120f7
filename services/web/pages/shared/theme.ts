import { storeOf } from './store.ts';

export const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const YEAR_SECONDS = 365 * 24 * 60 * 60;
const named = document.documentElement.dataset.theme;
const current = storeOf<Theme>(themes.find((each) => each === named) ?? 'auto');

export const useTheme = current.use;

/** Changes the colours of the page. The server reads the cookie and renders later pages in these colours. */
export function setTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  const isSecure = location.protocol === 'https:';
  const [name, secure] = isSecure ? ['__Host-theme', '; Secure'] : ['theme', ''];
  // biome-ignore lint/suspicious/noDocumentCookie: Firefox and Safari lack the cookie store in some versions.
  document.cookie = `${name}=${theme}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax${secure}`;
  current.set(theme);
}
