/** Where programs call the API. */
export const apiUrl = (): string => addressOf('api-url') ?? 'https://…';

/** The page at which a buyer pays a charge; null where the installation has not said where it is. */
export function checkoutLink(chargeId: string): string | null {
  const address = addressOf('checkout-url');
  return address && `${address}/pay/${chargeId}`;
}

/** What the server has written into the document. */
function addressOf(name: 'api-url' | 'checkout-url'): string | null {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content || null;
}
