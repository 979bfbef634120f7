import type { PlatformFacts } from '@plataforma/local';
import { eventually } from '@plataforma/testing';
import { z } from 'zod';
import { makeDemoLinks } from './demo-links.ts';

type Facts = Pick<PlatformFacts, 'baseUrl' | 'demo'>;
type Fate = 'paid' | 'refunded' | 'returned in part' | 'cancelled' | 'waiting';

const one = z.object({ data: z.object({ id: z.string(), status: z.string().optional() }) });
const wallet = z.object({ data: z.object({ availableBalance: z.number() }) });

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

/** What a shop's day leaves behind, made as its own system would make it. Answers a paid charge, one that waits, and a link. */
export async function makeDemoData({ baseUrl, demo }: Facts) {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = { 'x-api-key': demo.sandboxKey, 'content-type': 'application/json' };
    const response = await fetch(baseUrl + path, {
      ...{ method, headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const make = async (path: string, body: object = {}) => one.parse(await call('POST', path, body)).data;

  async function charge([amount, payerName, description, order, fate]: (typeof ORDERS)[number]) {
    const payer = { payerName, payerDocument: '12345678909' };
    const { id } = await make('/v1/charges', {
      amount,
      description,
      externalId: `pedido-${order}`,
      ...payer,
    });
    if (fate === 'cancelled') await call('DELETE', `/v1/charges/${id}`);
    if (fate === 'cancelled' || fate === 'waiting') return id;
    await make(`/v1/charges/${id}/simulate-payment`);
    await eventually(async () => {
      const { status } = one.parse(await call('GET', `/v1/charges/${id}`)).data;
      if (status !== 'PAID') throw new Error(`charge ${id} is ${status}`);
    });
    return id;
  }

  const ids: string[] = [];
  for (const each of ORDERS) ids.push(await charge(each));
  await eventually(async () => {
    const { availableBalance } = wallet.parse(await call('GET', '/v1/balance')).data;
    if (availableBalance < 200_000) throw new Error(`the balance is ${availableBalance}`);
  });
  for (const [at, [amount, , , , fate]] of ORDERS.entries()) {
    if (fate === 'refunded') await make(`/v1/charges/${ids[at]}/refund`);
    if (fate === 'returned in part') await make(`/v1/charges/${ids[at]}/refund`, { amount: amount / 2 });
  }
  const link = await makeDemoLinks(call);
  await make('/v1/webhook-config', { url: `${baseUrl}/health/live` });
  await make('/v1/withdrawals', { amount: 80_000, pixKey: 'maria@exemplo.com.br', pixKeyType: 'EMAIL' });
  const [paid = '', , , , , , , , , waiting = ''] = ids;
  return { paid, waiting, link };
}
