const LOCAL = /(https?:\/\/)?(?:localhost|127\.0\.0\.1):(8080|8081)\b/g;

/**
 * Replaces the local URLs in code samples by those of this installation. The API's URL is the page's own
 * origin, and the API reports the dashboard's URL.
 */
export async function showOwnAddresses(): Promise<void> {
  const texts = localTexts();
  if (texts.length === 0) return;
  const { web }: { web?: string } = await fetch('/docs/addresses.json').then((answer) => answer.json());
  const own: Record<string, string | undefined> = { 8080: location.origin, 8081: web?.replace(/\/+$/, '') };
  for (const text of texts) {
    text.data = text.data.replace(LOCAL, (local, scheme?: string, port = '') => {
      const address = own[port] ?? local;
      return scheme === undefined ? address.replace(/^http:\/\//, '') : address;
    });
  }
}

function localTexts(): Text[] {
  return [...document.querySelectorAll('code')].flatMap((code) => {
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
    return texts.filter(({ data }) => data.search(LOCAL) !== -1);
  });
}
