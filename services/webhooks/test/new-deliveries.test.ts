import { describe, expect, test } from '@jest/globals';
import type { Transaction } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import type { Delivery } from '../src/domain/delivery.ts';
import { createBacklog } from '../src/sending/backlog.ts';
import { createEndpointConcurrency } from '../src/sending/endpoint-concurrency.ts';
import { createNewDeliveries, type StoredLease } from '../src/sending/new-deliveries.ts';
import { slotClassOf } from '../src/sending/slot-groups.ts';

const LEASE_MS = 20_000;
const SLOTS = 16;

/**
 * Creates `newDeliveries` with sixteen slots. One endpoint may use an eighth of the free slots, so two at
 * first. Each offer uses a fake transaction, which the test ends with `end`.
 */
function setting({ leaseMs = LEASE_MS, isScanOver = true } = {}) {
  const sent: string[] = [];
  const concurrency = createEndpointConcurrency({ total: SLOTS, perEndpoint: SLOTS });
  for (const name of ['shop', 'other', ...Array.from({ length: SLOTS }, (_, slot) => `busy ${slot}`)]) {
    concurrency.enter(endpoint(name));
    concurrency.leave(endpoint(name), { wasSlow: false });
  }
  const backlog = createBacklog();
  if (isScanOver) backlog.endScan();
  let claims = 0;
  const newDeliveries = createNewDeliveries({
    concurrency,
    backlog,
    leaseMs,
    send: ({ id }) => sent.push(id),
    claimDue: () => {
      claims += 1;
    },
  });

  function offer(names: string[], store = async (_lease: StoredLease) => names) {
    const endings: ((isCommitted: boolean) => void)[] = [];
    const leases: StoredLease[] = [];
    const done = newDeliveries.storeWithLeases(transaction(endings), names.map(delivery), (lease) => {
      leases.push(lease);
      return store(lease);
    });
    return {
      leased: async () => {
        await done;
        return leases.flatMap(({ deliveryIds }) => [...deliveryIds]);
      },
      end: async (isCommitted: boolean) => {
        await done;
        for (const end of endings) end(isCommitted);
      },
    };
  }
  return { newDeliveries, concurrency, backlog, sent, offer, claims: () => claims };
}

function transaction(endings: ((isCommitted: boolean) => void)[]): Transaction {
  const query = () => Promise.reject(new Error('there is no database'));
  return {
    query,
    queryUnprepared: query,
    signalAfterCommit: () => undefined,
    whenOver: (listener) => endings.push(listener),
  };
}

const endpoint = (configurationId: string) => ({
  ...{ configurationId, merchantId: configurationId, environment: 'production' as const },
});

/** Returns a delivery. The name `'shop 1'` means the first delivery to the endpoint `shop`. */
function delivery(name: string): Omit<Delivery, 'leaseToken'> {
  return {
    id: name,
    ...endpoint(name.split(' ')[0] ?? ''),
    ...{ attempts: 0, resentFrom: null, eventId: name, sequence: 1 },
    url: 'https://shop.example/',
    signatureVersion: 'v1',
    retrySchedule: 'short',
    secret: { keyId: 'first', sealed: Buffer.alloc(0), version: 1 },
    oldSecrets: [],
    isTest: false,
    isFaulted: false,
    body: '{}',
    traceparent: null,
  };
}

async function runMicrotasks(): Promise<void> {
  for (let round = 0; round < 50; round += 1) await Promise.resolve();
}

const free = ({ concurrency }: ReturnType<typeof setting>) =>
  concurrency.offer(slotClassOf.production.healthy, []).limit;

function fill({ concurrency }: ReturnType<typeof setting>): void {
  for (let slot = 0; slot < SLOTS; slot += 1) concurrency.enter(endpoint(`busy ${slot}`));
}

describe('a new delivery', () => {
  test.each([
    ['its transaction is not committed or unconfirmed', { isCommitted: false, stored: ['shop 1'] }],
    ['its event was stored before', { isCommitted: true, stored: [] }],
  ])('is not sent and frees its slot when %s', async (_what, { isCommitted, stored }) => {
    const here = setting();

    const offered = here.offer(['shop 1'], async () => stored);
    await offered.end(isCommitted);

    expect([here.sent, free(here), here.claims()]).toEqual([[], SLOTS, 0]);
  });

  test('is left to others when its process pauses for half a lease', async () => {
    const here = setting({ leaseMs: 20 });

    const offered = here.offer(['shop 1'], async () => {
      const until = performance.now() + 10;
      while (performance.now() < until);
      return ['shop 1'];
    });
    await offered.end(true);

    expect([here.sent, free(here)]).toEqual([[], SLOTS]);
  });

  test('is claimed until a full scan finds no older ones', async () => {
    const here = setting({ isScanOver: false });
    const before = await here.offer(['shop 1']).leased();

    here.backlog.beginScan();
    here.backlog.add(['shop']);
    here.backlog.endScan();
    const behind = await here.offer(['shop 2', 'other 1']).leased();
    here.backlog.beginScan();
    here.backlog.endScan();
    const after = await here.offer(['shop 3']).leased();

    expect([before, behind, after]).toEqual([[], ['other 1'], ['shop 3']]);
  });
});

describe('a batch behind older deliveries', () => {
  test('waits for the scan and is then sent without a claim', async () => {
    const here = setting();
    here.backlog.add(['shop']);

    const offered = here.offer(['shop 1', 'shop 2', 'other 1']);
    await runMicrotasks();
    here.backlog.beginScan();
    here.backlog.endScan();
    here.newDeliveries.slotFreed();

    expect(await offered.leased()).toEqual(['shop 1', 'shop 2', 'other 1']);
  });

  test('waits for a short time only', async () => {
    const here = setting();
    here.backlog.add(['shop']);

    expect(await here.offer(['shop 1', 'shop 2', 'other 1']).leased()).toEqual(['other 1']);
  });
});

describe('new deliveries without a slot', () => {
  test('wait for a slot to become free', async () => {
    const here = setting();
    fill(here);

    const offered = here.offer(['shop 1']);
    here.concurrency.leave(endpoint('busy 0'), { wasSlow: false });
    here.newDeliveries.slotFreed();

    expect(await offered.leased()).toEqual(['shop 1']);
  });

  test('wait for all their slots, and later ones wait for the remainder', async () => {
    const here = setting();
    fill(here);

    const first = here.offer(['shop 1', 'shop 2']);
    const second = here.offer(['other 1']);
    const taken: string[] = [];
    void first.leased().then((leased) => taken.push(...leased));
    void second.leased().then((leased) => taken.push(...leased));
    for (const slot of [0, 1, 2]) {
      here.concurrency.leave(endpoint(`busy ${slot}`), { wasSlow: false });
      here.newDeliveries.slotFreed();
      await runMicrotasks();
    }

    expect(taken).toEqual(['other 1', 'shop 1', 'shop 2']);
    expect(free(here)).toBe(0);
  });

  test('do not wait for endpoints without an answer yet', async () => {
    const here = setting();
    for (let slot = 0; slot < SLOTS; slot += 1) here.concurrency.enter(endpoint(`hanging ${slot}`));
    let isOver = false;

    void here
      .offer(['shop 1'])
      .leased()
      .then(() => {
        isOver = true;
      });
    await runMicrotasks();

    expect(isOver).toBe(true);
  });
});

describe('a stop of the sender', () => {
  test('takes no slot for later or waiting deliveries', async () => {
    const here = setting();
    fill(here);
    const waiting = here.offer([`shop ${newId()}`]);

    const stopped = here.newDeliveries.stop();
    const late = here.offer(['other 1']);
    await waiting.end(true);
    await late.end(true);

    expect([await waiting.leased(), await late.leased(), await stopped]).toEqual([[], [], []]);
  });
});
