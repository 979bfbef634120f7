import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { type ErrorCode, errorCatalogue, scopes } from '@plataforma/contracts';
import { eventually } from '../../src/index.ts';
import { repeatWhileUndone } from '../../src/world/index.ts';
import { tokenOf } from './bank.ts';
import { type Answer, anOrder, type Client, openAccount } from './client.ts';

export interface Shop {
  account: { email: string; password: string; companyName: string; cnpj: string; phone: string };
  anyone: Client;
  /** The client with the session of a dashboard, which can create API keys. */
  session: Client;
  merchant: Client;
}

export async function openShop(anyone: Client): Promise<Shop> {
  const { account, session, merchant: own } = await openAccount(anyone);
  const merchant = repeating(own);
  await eventually(async () => expect((await merchant.post('/v1/charges', anOrder())).status).toBe(201));
  return { account, anyone, session, merchant };
}

/**
 * Returns a client that repeats a POST request with the same Idempotency-Key while the service is
 * unavailable.
 */
function repeating(client: Client): Client {
  const isUndone = ({ body }: Answer) => body.error?.code === 'SERVICE_UNAVAILABLE';
  const post: Client['post'] = (path, body, key = randomUUID()) =>
    repeatWhileUndone(() => client.post(path, body, key), isUndone);
  return { ...client, post };
}

export async function newKey(session: Client, changes: object = {}): Promise<{ id: string; key: string }> {
  const body = { name: 'loja', environment: 'sandbox', scopes, ...changes };
  const data = await made(session.post('/v1/api-keys', body));
  return { id: String(data.id), key: String(data.key) };
}

export async function refuses(code: ErrorCode, answer: Promise<Answer>): Promise<void> {
  const { status, body } = await answer;
  expect([status, body.error?.code]).toEqual([errorCatalogue[code].status, code]);
}

/** Returns the field `data` of a successful answer. Throws if the platform refused the request. */
export async function made(answer: Promise<Answer>): Promise<Record<string, unknown>> {
  const { status, body, data } = await answer;
  if (status > 202) throw new Error(`refused: ${JSON.stringify(body)}`);
  return data;
}

/** Waits until the object at this path has the given status. */
export function become(client: Client, path: string, status: string): Promise<Record<string, unknown>> {
  return eventually(async () => {
    const { data } = await client.get(path);
    expect(data).toMatchObject(path.startsWith('/v1/checkouts') ? { state: status } : { status });
    return data;
  });
}

export function newCharge(merchant: Client, changes: object = {}): Promise<Record<string, unknown>> {
  return made(merchant.post('/v1/charges', anOrder(changes)));
}

export async function paidCharge(merchant: Client, changes: object = {}): Promise<Record<string, unknown>> {
  const charge = await newCharge(merchant, changes);
  await made(merchant.post(`/v1/charges/${charge.id}/simulate-payment`));
  return charge;
}

export async function cardOrder(merchant: Client, number: string, changes: object = {}) {
  return anOrder({ paymentMethod: 'CARD', cardToken: await tokenOf(merchant, number), ...changes });
}

/** Pays a charge of the merchant, large enough that the merchant can withdraw `amount` after fees. */
export async function earn(merchant: Client, amount: number): Promise<void> {
  await paidCharge(merchant, { amount: amount + Math.ceil(amount / 20) });
  await eventually(async () => expect(await available(merchant)).toBeGreaterThanOrEqual(amount));
}

export async function available(merchant: Client): Promise<number> {
  return Number((await merchant.get('/v1/balance')).data.withdrawableBalance);
}

export function toKey(pixKey: string, amount = 1_000) {
  return { amount, pixKey, pixKeyType: 'EMAIL', externalId: randomUUID() };
}
