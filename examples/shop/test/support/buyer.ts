import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@plataforma/sdk/client';

const payer = { payerName: 'Maria da Silva', payerDocument: '12345678909' };

/** Acts as the browser of a buyer, in the shop and on the platform's page for a payment link. */
export function buyerAt(shopUrl: string, baseUrl: string) {
  const platform = createClient({ baseUrl });

  async function page(path: string): Promise<string> {
    return (await fetch(shopUrl + path)).text();
  }

  /** Reads the order form of a cart. A test can send the form several times. */
  async function cart(counts: string) {
    const form = await page(`/cart?${counts}`);
    const action = /action="(\/orders\/([\w-]+))"/.exec(form);
    const fields = [...form.matchAll(/type="hidden" name="(\w+)" value="(\w+)"/g)];
    const values = Object.fromEntries(fields.map(([, name = '', value]) => [name, value]));
    const [, path = '', id = ''] = action ?? [];
    const send = (method: string) => {
      const body = new URLSearchParams({ ...values, ...payer, method });
      return fetch(shopUrl + path, { method: 'POST', body });
    };
    return { id, path, send };
  }

  /**
   * Pays a payment link with a test card. Returns the error code if the payment is refused, otherwise null.
   */
  async function payCard(link: string, number: string): Promise<string | null> {
    const slug = link.split('/').at(-1) ?? '';
    const visit = await platform('POST /v1/payment-links/:slug/checkouts', { params: { slug }, body: payer });
    const { card } = await platform('POST /v1/checkouts/:id/card-form', { params: { id: visit.id } });
    const form = { number, holder_name: payer.payerName, exp_month: 12, exp_year: 35, cvv: '123' };
    const tokenized = await fetch(`${card?.tokenizeUrl}?appId=${card?.publicKey}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'card', card: form }),
    });
    const { id: cardToken }: { id: string } = JSON.parse(await tokenized.text());
    const body = { cardToken, installments: 1 };
    const paid = platform('POST /v1/checkouts/:id/card', { params: { id: visit.id }, body });
    return paid.then(
      () => null,
      (error) => error.code,
    );
  }

  async function waitFor(path: string, words: string): Promise<void> {
    for (let tries = 0; tries < 300; tries += 1) {
      if ((await page(path)).includes(words)) return;
      await sleep(100);
    }
    throw new Error(`${path} does not say "${words}": ${await page(path)}`);
  }

  return { page, cart, payCard, waitFor };
}
