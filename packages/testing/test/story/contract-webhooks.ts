import { createHmac } from 'node:crypto';
import { expect } from '@jest/globals';
import { webhookEventTypes } from '@plataforma/contracts';
import { type Delivery, eventually, type FakeMerchant } from '../../src/index.ts';
import type { Client } from './client.ts';
import { made, newKey, paidCharge, refuses, type Shop } from './contract-shop.ts';

const MOST_FAULTS = 20;
const DAY_MS = 86_400_000;

/** Registers a webhook for all events at the receiver's URL, and returns the webhook's secret. */
export async function listen({ merchant }: Shop, receiver: FakeMerchant): Promise<string> {
  const body = { url: receiver.url, events: webhookEventTypes, signatureVersion: 'standard' };
  const { id, secret } = await made(merchant.post('/v1/webhook-config', body));
  const path = `/v1/webhook-config/${id}`;
  await made(merchant.post(`${path}/test`, {}));
  await delivered(merchant, path, 'SUCCEEDED');
  await showsHealth(merchant, path, 'healthy');
  return String(secret);
}

/** Causes two alerts: for a webhook that fails, and for an API key that expires soon. */
export async function walkAlerts({ merchant, session }: Shop): Promise<void> {
  await newKey(session, { expiresAt: new Date(Date.now() + 3 * DAY_MS).toISOString() });
  const dead = await made(merchant.post('/v1/webhook-config', { url: 'http://127.0.0.1:1/' }));
  await made(merchant.post(`/v1/webhook-config/${dead.id}/test`, {}));
  await showsHealth(merchant, `/v1/webhook-config/${dead.id}`, 'failing');
}

/** Verifies both signatures of a delivery, and returns the name of its event. */
export function verified({ headers, body }: Delivery, secret: string): string {
  const contract = createHmac('sha256', secret).update(body).digest('hex');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const standard = createHmac('sha256', key).update(signed).digest('base64');
  expect(headers).toMatchObject({
    'x-webhook-signature': `sha256=${contract}`,
    'webhook-signature': `v1,${standard}`,
  });
  return JSON.parse(body.toString()).event;
}

export async function feed(merchant: Client): Promise<string[]> {
  const types: string[] = [];
  let after = '';
  do {
    const { list } = await merchant.get(`/v1/events?order=asc&limit=100${after && `&after=${after}`}`);
    types.push(...list.map(({ event }) => String(event)));
    after = String(list.at(-1)?.id ?? '');
  } while (after);
  return types;
}

/**
 * Causes failing and slow deliveries, and reaches the limits of webhooks, of secrets and of simulated faults.
 */
export async function walkWebhooks({ merchant }: Shop, receiver: FakeMerchant): Promise<void> {
  receiver.answer(() => ({ status: 200, delayMs: 11_000 }));
  const open = async (url: string, changes: object = {}) =>
    `/v1/webhook-config/${(await made(merchant.post('/v1/webhook-config', { url, ...changes }))).id}`;
  const dead = await open('http://127.0.0.1:1/', { secret: 'um segredo bem comprido' });
  const slow = await open(receiver.url);
  await showsHealth(merchant, dead, 'unknown');
  await paidCharge(merchant);
  await showsHealth(merchant, dead, 'failing');
  await delivered(merchant, dead, 'PENDING');

  await refuses('INVALID_STATE', merchant.patch(dead, { signatureVersion: 'standard' }));
  await made(merchant.patch(dead, { isActive: false }));
  await delivered(merchant, dead, 'FAILED');
  await refuses('INVALID_STATE', merchant.post(`${dead}/test`, {}));
  const since = new Date(Date.now() - DAY_MS).toISOString();
  await refuses('INVALID_STATE', merchant.post(`${dead}/resend`, { since }));
  const [failed] = (await merchant.get(deliveriesOf(dead, 'FAILED'))).list;
  await refuses('INVALID_STATE', merchant.post(`/v1/webhook-deliveries/${failed?.id}/resend`));
  const rotate = (path: string) => merchant.post(`${path}/rotate-secret`, { gracePeriodSeconds: 600 });
  for (let graces = 0; graces < 4; graces += 1) await made(rotate(dead));
  await refuses('INVALID_STATE', rotate(dead));

  const [silent = ''] = [await open(receiver.url), await open(receiver.url), await open(receiver.url)];
  await refuses('WEBHOOK_LIMIT_REACHED', merchant.post('/v1/webhook-config', { url: receiver.url }));
  await showsHealth(merchant, slow, 'slow');

  const fault = { webhookId: silent.split('/').at(-1), kind: 'drop' };
  for (let faults = 0; faults < MOST_FAULTS; faults += 1)
    await made(merchant.post('/v1/sandbox/webhook-faults', fault));
  await refuses('INVALID_STATE', merchant.post('/v1/sandbox/webhook-faults', fault));
}

async function showsHealth(merchant: Client, path: string, health: string): Promise<void> {
  await eventually(async () => expect((await merchant.get(path)).data).toMatchObject({ health }));
}

const deliveriesOf = (path: string, status?: string) =>
  `/v1/webhook-deliveries?webhookId=${path.split('/').at(-1)}${status ? `&status=${status}` : ''}`;

async function delivered(merchant: Client, path: string, status: string): Promise<void> {
  await eventually(async () =>
    expect((await merchant.get(deliveriesOf(path))).list).toContainEqual(expect.objectContaining({ status })),
  );
}
