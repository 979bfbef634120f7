/** Where programs call the API. */
export const apiUrl = (): string => addressOf('api-url') ?? 'https://…';

/** What the server has written into the document. */
function addressOf(name: 'api-url'): string | null {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content || null;
}
