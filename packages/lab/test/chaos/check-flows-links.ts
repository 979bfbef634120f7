import { randomUUID } from 'node:crypto';
import { eventually } from '@plataforma/testing';
import { z } from 'zod';
import { LONG_WAIT, tokenAt } from './check-flows.ts';
import type { CheckWorld } from './check-world.ts';

const APPROVED_CARD = '4000000000000010';
const shown = z.object({
  id: z.string(),
  charge: z.object({ id: z.string() }).nullable(),
  card: z.object({ tokenizeUrl: z.string(), publicKey: z.string() }),
});

/**
 * Creates a payment link with three uses. The first visit is paid by Pix twice and the second by card. A card
 * form reserves the third use.
 */
export async function payAtALink(world: CheckWorld): Promise<void> {
  const { bank, platform, clientOf } = world;
  const merchant = clientOf('merchant 1', { 'x-api-key': platform.facts.demo.sandboxKey });
  const buyer = clientOf('merchant 1', {});
  const fields = { description: 'Aula', amount: 3_300, uses: 3 };
  const { slug } = await merchant.post('/v1/payment-links', fields, randomUUID());
  const visit = async (payerDocument: string) => {
    const payer = { id: randomUUID(), payerName: 'Maria', payerDocument };
    return shown.parse(await buyer.post(`/v1/payment-links/${slug}/checkouts`, payer));
  };

  const byPix = await visit('12345678909');
  const { charge } = shown.parse(await buyer.post(`/v1/checkouts/${byPix.id}/pix`));
  await bank.control(`/pix/${charge?.id.replaceAll('-', '')}/pay`, { times: 2 });
  await eventually(async () => {
    const { state } = await buyer.get(`/v1/checkouts/${byPix.id}`);
    if (state !== 'PAID') throw new Error(`it is ${state}`);
  }, LONG_WAIT);
  const byCard = await visit('52998224725');
  const cardToken = await tokenAt(byCard.card, APPROVED_CARD);
  await buyer.post(`/v1/checkouts/${byCard.id}/card`, { cardToken, installments: 1 });
  const reserved = await visit('11144477735');
  await buyer.post(`/v1/checkouts/${reserved.id}/card-form`);
}
