import type { PlatformFacts } from '@plataforma/local';
import { Plataforma } from '@plataforma/sdk';
import { eventually } from '@plataforma/testing';
import { makeDemoLinks } from './demo-links.ts';

type Facts = Pick<PlatformFacts, 'baseUrl' | 'demo'>;
type Fate = 'paid' | 'refunded' | 'returned in part' | 'cancelled' | 'waiting';

const ORDERS: readonly [number, string, string, string, Fate][] = [
  [18_990, 'Helena Duarte', 'Luminária de mesa', '1042', 'paid'],
  [45_000, 'Caio Menezes', 'Poltrona, sinal', '1043', 'paid'],
  [7_450, 'Iara Nogueira', 'Caneca de cerâmica (2)', '1044', 'returned in part'],
  [129_900, 'Rafael Teixeira', 'Mesa de jantar', '1045', 'paid'],
  [3_990, 'Bianca Freitas', 'Vela de figo', '1046', 'cancelled'],
  [22_500, 'Otávio Lacerda', 'Tapete de algodão', '1047', 'paid'],
  [9_900, 'Lívia Sampaio', 'Vaso pequeno', '1048', 'refunded'],
  [64_000, 'Davi Pacheco', 'Estante baixa', '1049', 'paid'],
  [5_500, 'Nina Barreto', 'Cesto de palha', '1050', 'paid'],
  [31_200, 'Tomás Queiroz', 'Jogo de pratos', '1051', 'waiting'],
  [12_800, 'Clara Antunes', 'Manta de linho', '1052', 'paid'],
  [8_700, 'Joana Ribeiro', 'Bandeja de madeira', '1053', 'waiting'],
];

/**
 * Creates data for one day of a shop through the API. Returns a paid charge, a charge that waits for its
 * payment, and a payment link.
 */
export async function makeDemoData({ baseUrl, demo }: Facts) {
  const shop = new Plataforma({ apiKey: demo.sandboxKey, baseUrl });

  async function charge([amount, payerName, description, order, fate]: (typeof ORDERS)[number]) {
    const payer = { payerName, payerDocument: '12345678909' };
    const externalId = `pedido-${order}`;
    const { id } = await shop.charges.create({ amount, description, externalId, ...payer });
    if (fate === 'cancelled') await shop.charges.cancel(id);
    if (fate === 'cancelled' || fate === 'waiting') return id;
    await shop.charges.simulatePayment(id);
    await eventually(async () => {
      const { status } = await shop.charges.get(id);
      if (status !== 'PAID') throw new Error(`charge ${id} is ${status}`);
    });
    return id;
  }

  const ids: string[] = [];
  for (const each of ORDERS) ids.push(await charge(each));
  await eventually(async () => {
    const { availableBalance } = await shop.wallet.balance();
    if (availableBalance < 200_000) throw new Error(`the balance is ${availableBalance}`);
  });
  for (const [at, [amount, , , , fate]] of ORDERS.entries()) {
    const id = ids[at] ?? '';
    if (fate === 'refunded') await shop.charges.refund(id);
    if (fate === 'returned in part') await shop.charges.refund(id, { amount: amount / 2 });
  }
  const link = await makeDemoLinks(shop, baseUrl);
  await shop.webhooks.create({ url: `${baseUrl}/health/live` });
  await shop.withdrawals.create({ amount: 80_000, pixKey: 'maria@exemplo.com.br', pixKeyType: 'EMAIL' });
  const [paid = '', , , , , , , , , waiting = ''] = ids;
  return { paid, waiting, link };
}
