/** Where programs call the API, as the server wrote it into the page. */
export function apiUrl(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="api-url"]')?.content || 'https://…';
}
