import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ORDER_HEADER, orderSecrets, signOrder, tokenKey, tokenSigningKey } from '@plataforma/http';
import { newId, type Tenant } from '@plataforma/kernel';
import { newKeyPair, openMetricsScraper } from '@plataforma/testing';
import { beforeFile, type Issuer, keysOfWorker, worldOfFile } from '@plataforma/testing/world';
import { withdrawalOf } from './support/emitter.ts';
import { decisionHeader, newTenant, proofHeader, serviceHeader } from './support/identity.ts';
import { failure, merchantIn, success } from './support/wallet-calls.ts';
import { startWorld, type World } from './support/world.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const world = worldOfFile(startWorld);
const scraper = beforeFile(openMetricsScraper);
let accepting: World['first'];

beforeAll(async () => {
  const settings = { ORDER_SIGNATURES: 'accept', METRICS_PORT: String(scraper.port) };
  accepting = await world.startReplica(undefined, settings);
});
afterAll(() => accepting?.stop());

type Order = ReturnType<typeof withdrawalOf>['order'];
type Headers = Record<string, string>;

const counted = async (verdict: string) =>
  (await scraper.scrape()).valueOf('plataforma_orders_unproven_total', { verdict }) ?? 0;
const without = ({ [ORDER_HEADER]: _order, ...others }: Headers): Headers => others;
const debits = async ({ id }: { id: string }) => Object.keys(await world.entriesOf(id)).length;
const longAgo = new Date(Date.now() - DAY_MS - MINUTE_MS);
const inFuture = new Date(Date.now() + DAY_MS + MINUTE_MS);

const cases: [string, string, (order: Order) => Headers][] = [
  ['without a signed order', 'missing', (order) => without(proofHeader(order))],
  [
    'with nonsense as its order',
    'forged',
    (order) => ({ ...proofHeader(order), [ORDER_HEADER]: 'order1 x y' }),
  ],
  ['with a changed order', 'forged', (order) => changed(proofHeader(order))],
  ['of an order that withdrawals signed', 'forged', (order) => signedBy(order, 'withdrawals')],
  ['of an order that charges signed', 'forged', (order) => signedBy(order, 'charges')],
  ['of another merchant’s order', 'foreign', (order) => proofHeader(order, { tenant: newTenant() })],
  [
    'of an order in the other environment',
    'foreign',
    (order) => proofHeader(order, { tenant: { ...order, environment: 'production' } }),
  ],
  ['of an operator’s approval', 'foreign', (order) => proofHeader(order, { tenant: null })],
  [
    'of a request to another path',
    'foreign',
    (order) => proofHeader(order, { path: `/v1/admin/withdrawals/${order.id}/approve` }),
  ],
  ['of another amount than ordered', 'amount', (order) => proofHeader({ ...order, netAmount: 999 })],
  ['with another body than ordered', 'changed', (order) => proofHeader(order, { body: '{"amount": 1}' })],
  ['of an order without an amount', 'changed', (order) => proofHeader(order, { body: 'saldo' })],
  ['of an order from more than a day ago', 'old', (order) => proofHeader(order, { at: longAgo })],
  ['of an order from the next days', 'old', (order) => proofHeader(order, { at: inFuture })],
  ['of an order of another withdrawal', 'reused', (order) => proofHeader(order, { id: newId() })],
];

function changed(headers: Headers): Headers {
  const token = headers[ORDER_HEADER] ?? '';
  return { ...headers, [ORDER_HEADER]: token.replace('key:1', 'key:2') };
}

function signedBy(order: Order, issuer: 'withdrawals' | 'charges'): Headers {
  return { ...proofHeader(order), ...proofHeader(order, {}, issuer) };
}

const gateway = tokenSigningKey(keysOfWorker('gateway for ledger').privateKey);

/** Returns a proof with a wrong signature and with an HMAC that is made with the key of `by`. */
function onlyHmac(order: Order, by: Issuer): Headers {
  const key = tokenSigningKey(keysOfWorker(`${by} for ledger`).privateKey);
  const others = [newKeyPair(), keysOfWorker('ledger itself')];
  const secrets = orderSecrets(
    key.key,
    others.map(({ publicKey }) => tokenKey(publicKey)),
  );
  const body = JSON.stringify({ amount: order.netAmount + order.fee });
  const signed = { id: order.id, path: '/v1/withdrawals', tenant: order, actor: 'key:1', at: new Date() };
  const wrong = { ...tokenSigningKey(newKeyPair().privateKey), id: gateway.id };
  return { ...proofHeader(order), [ORDER_HEADER]: signOrder(wrong, signed, Buffer.from(body), secrets) };
}

describe('a debit', () => {
  test('takes an order with the gateway’s HMAC for the ledger instead of the signature', async () => {
    const { order } = withdrawalOf(await merchantIn(world));

    for (const other of ['withdrawals', 'charges'] as const)
      expect(await world.withdraw(order, world.first, onlyHmac(order, other))).toEqual(
        failure(403, 'FORBIDDEN'),
      );
    expect(await debits(order)).toBe(0);
    expect(await world.withdraw(order, world.first, onlyHmac(order, 'gateway'))).toEqual(success(order.id));
  });

  test.each(cases)('%s is refused, and counted as %s', async (_what, verdict, proofOf) => {
    const { order } = withdrawalOf(await merchantIn(world));
    const before = await counted(verdict);

    expect(await world.withdraw(order, world.first, proofOf(order))).toEqual(failure(403, 'FORBIDDEN'));

    expect(await debits(order)).toBe(0);
    expect(await counted(verdict)).toBe(before + 1);
    expect(await world.withdraw(order)).toEqual(success(order.id));
  });

  test('takes a fee that comes on top of the ordered amount', async () => {
    const { order } = withdrawalOf(await merchantIn(world));
    const proof = proofHeader({ ...order, fee: 0 });

    expect(await world.withdraw(order, world.first, proof)).toEqual(success(order.id));
  });

  test('of one order happens once for two withdrawals at the same time', async () => {
    const tenant = await merchantIn(world);
    const [one, other] = [withdrawalOf(tenant).order, withdrawalOf(tenant).order];
    const proof = proofHeader(one);

    const answers = await Promise.all(
      [one, other, one].map((order) => world.withdraw(order, undefined, proof)),
    );

    expect(answers).toEqual([success(one.id), failure(403, 'FORBIDDEN'), success(one.id)]);
    expect([await debits(one), await debits(other)]).toEqual([1, 0]);
    expect((await world.balanceOf(tenant)).availableBalance).toBe(2_475 - 1_100);
  });

  test('without a signed order is taken while ORDER_SIGNATURES is accept', async () => {
    const { order } = withdrawalOf(await merchantIn(world));
    const before = await counted('accepted');

    expect(await world.withdraw(order, accepting, {})).toEqual(success(order.id));
    expect(await counted('accepted')).toBe(before + 1);
    expect(await world.withdraw(order, accepting, changed(proofHeader(order)))).toEqual(
      failure(403, 'FORBIDDEN'),
    );
  });
});

describe('a repeated debit after a restore', () => {
  const again = async (order: Order, proof: Headers) => {
    const headers = { ...serviceHeader('withdrawals'), ...proof, 'content-type': 'application/json' };
    const url = `${world.first.url}/internal/withdrawals?again=true`;
    return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(order) })).status;
  };
  const lost = async (): Promise<{ order: Order; tenant: Tenant }> => {
    const tenant = await merchantIn(world);
    return { tenant, order: withdrawalOf(tenant).order };
  };

  test('takes an old order that an operator confirms', async () => {
    const { order } = await lost();
    const proof = proofHeader(order, { at: longAgo });

    expect(await again(order, proof)).toBe(403);
    expect(await again(order, { ...proof, ...decisionHeader({ id: newId() }) })).toBe(403);
    expect(await again(order, { ...proof, ...decisionHeader(order, { at: longAgo }) })).toBe(403);
    expect(await again(order, without({ ...proof, ...decisionHeader(order) }))).toBe(403);
    expect(await debits(order)).toBe(0);

    expect(await again(order, { ...proof, ...decisionHeader(order) })).toBe(200);
    expect(await debits(order)).toBe(1);
  });
});
