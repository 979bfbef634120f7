import { type Bank, eventually, type PlatformFacts } from '@plataforma/testing';
import type { Shops } from './actors/shops.ts';
import { callerOf, operatorOf } from './caller.ts';
import type { Dice } from './dice.ts';
import type { History } from './history.ts';

/**
 * A merchant that checks whether the platform works. The history contains its calls, like those of other
 * clients.
 */
export interface Probe {
  /**
   * Creates a charge, pays it and withdraws. Returns the milliseconds until both are complete and their
   * webhooks have arrived, or null at the timeout.
   */
  run(): Promise<number | null>;
}

interface ProbeDependencies {
  facts: PlatformFacts;
  bank: Bank;
  shops: Shops;
  history: History;
  dice: Dice;
}

const NAME = 'probe';
const AMOUNT = 10_000;
const WITHDRAWN = 100;
const TIMEOUT_MS = 180_000;
const INTERVAL_MS = 100;
const polling = { timeoutMs: TIMEOUT_MS, intervalMs: INTERVAL_MS };

/** Opens the probe. It must be called before the first fault. */
export async function openProbe({ facts, bank, shops, history, dice }: ProbeDependencies): Promise<Probe> {
  const { baseUrl, demo } = facts;
  const witnessed = { witness: { history, actor: NAME } };
  const stranger = callerOf(baseUrl, {}, witnessed);
  const admin = await operatorOf(facts, { witness: { history, actor: `${NAME} operator` } });
  const call = callerOf(baseUrl, { 'x-api-key': demo.sandboxKey }, witnessed);
  const { accessToken: session } = await stranger('POST', '/v1/auth/login', {
    email: demo.email,
    password: demo.password,
  });
  const people = callerOf(baseUrl, { authorization: `Bearer ${session}` }, witnessed);
  const { id: merchantId } = await people('GET', '/v1/account');
  await admin('PATCH', `/v1/admin/merchants/${merchantId}/settings`, { autoApproveLimit: AMOUNT });
  const url = shops.urlFor({ character: 'prompt', merchant: NAME, purpose: 'webhook' });
  const { secret } = await call('POST', '/v1/webhook-config', { url });
  shops.learns(NAME, String(secret));
  const { pathname } = new URL(url);
  let paid = 0;

  async function earn(): Promise<string> {
    const order = {
      externalId: dice.uuid(),
      amount: AMOUNT,
      payerName: 'Ana',
      payerDocument: '12345678909',
    };
    const charge = await insist(() => call('POST', '/v1/charges', order));
    await insist(() => bank.control(`/pix/${charge.txid}/pay`));
    paid += 1;
    await eventually(async () => {
      const { status } = await call('GET', `/v1/charges/${charge.id}`);
      const { totalEarned } = await call('GET', '/v1/balance');
      if (status !== 'PAID' || Number(totalEarned) < paid * AMOUNT) throw new Error('not credited yet');
    }, polling);
    return String(charge.id);
  }

  async function withdraw(): Promise<string> {
    const key = { pixKey: dice.uuid(), pixKeyType: 'EVP' };
    const order = { ...key, externalId: dice.uuid(), amount: WITHDRAWN };
    const { id } = await insist(() => call('POST', '/v1/withdrawals', order));
    await eventually(async () => {
      const { status } = await call('GET', `/v1/withdrawals/${id}`);
      if (status !== 'COMPLETED') throw new Error(`the withdrawal is ${status}`);
    }, polling);
    return String(id);
  }

  async function run(): Promise<number | null> {
    const startedAt = performance.now();
    try {
      const ids = [await earn(), await withdraw()];
      await eventually(() => {
        const deliveries = shops.received.filter(({ configurationPath }) => configurationPath === pathname);
        const bodies = deliveries.map(({ body }) => body.toString());
        if (!ids.every((id) => bodies.some((body) => body.includes(id)))) throw new Error('no webhook yet');
      }, polling);
      return performance.now() - startedAt;
    } catch {
      return null;
    }
  }

  await run();
  return { run };
}

/** Retries a request until the timeout. The `externalId` of an order makes a retry safe. */
async function insist<T>(act: () => Promise<T>): Promise<T> {
  return eventually(act, polling);
}
