import type { Plataforma } from '@plataforma/sdk';
import { z } from 'zod';

const visit = z.object({
  data: z.object({ id: z.string(), charge: z.object({ id: z.string() }).nullable() }),
});

const BUYERS = ['Beatriz Fontes', 'Ícaro Rezende', 'Marina Couto'];
const LINKS = [
  { description: 'Rifa de Natal', minAmount: 500, maxAmount: 20_000, methods: ['PIX' as const] },
  { description: 'Luminária sob medida, sinal', amount: 35_000, uses: 1, externalId: 'pedido-1054' },
  { description: 'Feira de outubro', amount: 4_500, expiresAt: '2026-10-31' },
];
const COURSE = { description: 'Oficina de cerâmica', amount: 12_000, uses: 12 };

/** Creates payment links, and lets buyers visit one of them and pay. Returns the id of that link. */
export async function makeDemoLinks({ paymentLinks, charges }: Plataforma, baseUrl: string): Promise<string> {
  /** Calls the API without an API key, as a buyer's browser does. */
  const call = async (method: string, path: string, body: object = {}): Promise<unknown> => {
    const sent = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(baseUrl + path, { method, ...(method === 'POST' && sent) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  for (const fields of LINKS) await paymentLinks.create(fields);
  const { id, slug } = await paymentLinks.create(COURSE);
  for (const [at, payerName] of BUYERS.entries()) {
    for (let visits = 0; visits <= at; visits += 1) await call('GET', `/v1/payment-links/${slug}/page`);
    const payer = { payerName, payerDocument: `1234567890${at}` };
    const begun = visit.parse(await call('POST', `/v1/payment-links/${slug}/checkouts`, payer)).data;
    const { charge } = visit.parse(await call('POST', `/v1/checkouts/${begun.id}/pix`)).data;
    if (!charge) throw new Error('a visit has no charge');
    if (at > 0) await charges.simulatePayment(charge.id);
  }
  return id;
}
