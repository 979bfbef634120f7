import type { Language } from '@plataforma/contracts/catalogue';

/** Returns the address at which programs call the API. */
export const apiUrl = (): string => addressOf('api-url') ?? 'https://…';

/** Returns the address of a page of the docs, or undefined when the API's address is unknown. */
export function docsUrl(language: Language, path: string): string | undefined {
  const api = addressOf('api-url');
  return api === null ? undefined : `${api}/docs/${language === 'en' ? 'en' : 'pt'}/${path}`;
}

export const termsUrl = (): string | null => addressOf('terms-url');
export const privacyUrl = (): string | null => addressOf('privacy-url');
export const supportUrl = (): string | null => addressOf('support-url');

/** Returns an address that the server wrote into the document's `meta` elements. */
function addressOf(name: `${'api' | 'terms' | 'privacy' | 'support'}-url`): string | null {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content || null;
}
