import type { Language } from '@plataforma/contracts/catalogue';

/** Where programs call the API. */
export const apiUrl = (): string => addressOf('api-url') ?? 'https://…';

/** The docs are beside the API; where pages do not know its address they have no link to a guide. */
export function docsUrl(language: Language, path: string): string | undefined {
  const api = addressOf('api-url');
  return api === null ? undefined : `${api}/docs/${language === 'en' ? 'en' : 'pt'}/${path}`;
}

/** What the server has written into the document. */
function addressOf(name: 'api-url'): string | null {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content || null;
}
