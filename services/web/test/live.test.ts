import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Announcement, PageUpdateType } from '@plataforma/events';
import { newId } from '@plataforma/kernel';
import { type LiveUpdate, type LiveUpdates, startLiveUpdates } from '@plataforma/messaging';
import { createLog } from '@plataforma/observe';
import { claimVhost, eventually, signedEventsOnly, testSigner } from '@plataforma/testing';
import { type Emitter, startEmitter } from '@plataforma/testing/world';
import { openStream } from './support/connections.ts';
import { startWorld, type World } from './support/world.ts';

let world: World;
let liveUpdates: LiveUpdates;
let emitter: Emitter;
let cookie: string;

beforeAll(async () => {
  const brokerUrl = await claimVhost();
  const log = createLog({ service: 'test', level: 'silent' });
  world = await startWorld({ AMQP_URL: brokerUrl, ...signedEventsOnly });
  liveUpdates = startLiveUpdates({ brokerUrl, name: 'emitter', signer: testSigner, log });
  emitter = await startEmitter(brokerUrl);
  cookie = await world.logIn();
});
afterAll(async () => {
  await liveUpdates?.stop();
  await emitter?.stop();
  await world?.stop();
});

/** Opens the stream that the dashboard of a merchant uses in the sandbox. */
function openStreamOf(merchantId: string, by = cookie) {
  world.gateway.giving('GET /v1/account', { id: merchantId });
  return openStream(`${world.url}/api/stream?environment=sandbox`, { cookie: by });
}

const createdAt = new Date().toISOString();

function aCharge() {
  const id = newId();
  const fields = { txid: id.replaceAll('-', ''), externalId: 'order', paymentMethod: 'PIX' as const };
  return { id, ...fields, ...{ amount: 1_000, feeAmount: 10, netAmount: 990 }, paidAt: null };
}

function aWithdrawal() {
  const amounts = { amount: 1_000, fee: 10, netAmount: 990 };
  const payee = { method: 'PIX' as const, pixKey: 'a@b.test', pixKeyType: 'EMAIL', bankAccount: null };
  return { id: newId(), ...amounts, ...payee, externalId: null, createdAt, providerTxId: null };
}

const common = () => ({ environment: 'sandbox' as const, aggregateId: newId(), sequence: 1 });

type Sample = Exclude<LiveUpdate['type'], 'session.ended' | PageUpdateType>;

const samples: Record<Sample, (merchantId: string) => LiveUpdate> = {
  'charge.created': (merchantId) => ({
    ...{ merchantId, ...common(), type: 'charge.created' },
    data: { ...aCharge(), status: 'PENDING', expiresAt: null, createdAt },
  }),
  'charge.cancelled': (merchantId) => ({
    ...{ merchantId, ...common(), type: 'charge.cancelled' },
    data: { ...aCharge(), status: 'CANCELLED' },
  }),
  'withdrawal.created': (merchantId) => ({
    ...{ merchantId, ...common(), type: 'withdrawal.created' },
    data: { ...aWithdrawal(), status: 'PENDING' },
  }),
  'withdrawal.approved': (merchantId) => ({
    ...{ merchantId, ...common(), type: 'withdrawal.approved' },
    data: { ...aWithdrawal(), status: 'APPROVED' },
  }),
};

const owner = (merchantId: string) => ({ merchantId, ...common() });

/**
 * Events of the charges service and of the ledger. The key of the ledger is optional, unlike the key of the
 * charges service.
 */
const announced: readonly [resource: string, of: (merchantId: string) => Announcement][] = [
  [
    'paymentLink',
    (merchantId) => ({
      ...{ ...owner(merchantId), type: 'checkout.expired' },
      data: {
        ...{
          id: newId(),
          paymentLinkId: newId(),
          slug: 'q7Xk2mVnQ2pLw7Yt',
          amount: 1_000,
          externalId: 'order',
        },
        ...{ status: 'EXPIRED', cause: 'TIME_OVER', chargeId: null, expiredAt: createdAt },
      },
    }),
  ],
  [
    'receivable',
    (merchantId) => ({
      ...{ ...owner(merchantId), type: 'receivable.settled' },
      data: {
        ...{ id: newId(), date: '2026-11-20', timeZone: 'America/Sao_Paulo' },
        ...{ paymentMethod: 'CARD', count: 1, amount: 990 },
      },
    }),
  ],
];

test.each(announced)('pages with a %s receive its event', async (resource, of) => {
  const merchantId = newId();
  const own = await openStreamOf(merchantId);

  await eventually(async () => {
    await emitter.announce(of(merchantId));
    await eventually(() => expect(own.text()).toContain(`"changed":["${resource}",`), { timeoutMs: 500 });
  });

  own.close();
});

test.each([
  ['charge.created', 'charge'],
  ['charge.cancelled', 'charge'],
  ['withdrawal.created', 'withdrawal'],
  ['withdrawal.approved', 'withdrawal'],
] as const)('only pages of its merchant receive %s', async (type, resource) => {
  const merchantId = newId();
  const own = await openStreamOf(merchantId);
  const another = await openStreamOf(newId());

  // A live update is lost if it arrives before the queue is bound, so the test sends it again.
  await eventually(async () => {
    liveUpdates.send(samples[type](merchantId));
    await eventually(() => expect(own.text()).toContain(`"changed":["${resource}",`), { timeoutMs: 500 });
  });

  expect(another.text()).not.toContain('changed');
  own.close();
  another.close();
});

test('a session that ends on another replica loses its stream', async () => {
  const merchantId = newId();
  const ended = newId();
  const stays = await openStreamOf(merchantId);
  world.gateway.nextSession(ended);
  const own = await openStreamOf(merchantId, await world.logIn());
  world.gateway.nextSession();

  await eventually(async () => {
    liveUpdates.send({
      ...{ merchantId, environment: null, aggregateId: ended, sequence: 1 },
      ...{ type: 'session.ended', data: {} },
    });
    await eventually(() => expect(own.isOver()).toBe(true), { timeoutMs: 500 });
  });

  expect(stays.isOver()).toBe(false);
  stays.close();
});
