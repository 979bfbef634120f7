import { describe, expect, test } from '@jest/globals';
import { createLease, externalOrder, LeaseOver, type OrderState } from '../src/index.ts';
import type { Policy } from './support/process.ts';
import type { Outcome } from './support/provider.ts';
import { OrderRecord } from './support/record.ts';

const START = 1_000_000;

/** Creates one order, and a policy that gives the given answers. */
function createWorld(row: Partial<OrderState>, policy: Partial<Omit<Policy, 'recordDecision'>> = {}) {
  const record = new OrderRecord(new Set());
  record.row = { ...record.row, ...row };
  const time = { now: START };
  const clock = () => new Date(time.now);
  const calls: string[] = [];
  const answer: { order: Outcome; found: Exclude<Outcome, { state: 'refused' }> | null } = {
    order: { state: 'done', reference: 'E1', amount: null },
    found: null,
  };
  const orders = externalOrder<OrderState, Outcome, null, string>({
    clock,
    backoff: { kind: 'doubling', firstMs: 1_000, longestMs: 1_000 },
    unconfirmedMs: 60_000,
    watch: null,
    inRow: async (_item, work) => work(null, record.row),
    order: async (item, lease) => {
      lease.check();
      calls.push(`order while ${item.status}`);
      return answer.order;
    },
    find: async () => {
      calls.push('find');
      return answer.found;
    },
    recordDecision: async (_tx, _locked, decision) => {
      const saved = record.save(decision);
      calls.push(`save ${saved}`);
      return saved;
    },
    ...policy,
  });
  const next = async () => {
    const claimed = record.claimDue(time.now, clock);
    if (claimed) await orders.advance(claimed);
    return claimed !== null;
  };
  return { orders: { ...orders, next }, record, calls, answer, time };
}

describe('an external order', () => {
  test('is recorded as ordered before it leaves', async () => {
    const { orders, calls, record } = createWorld({});

    expect(await orders.next()).toBe(true);

    expect(calls).toEqual(['save sending', 'order while ORDERED', 'save done']);
    expect(record.row).toMatchObject({ status: 'DONE', reference: 'E1', dueAt: null });
    expect(await orders.next()).toBe(false);
  });

  test('is searched at the provider before it is sent again', async () => {
    const { orders, calls } = createWorld({ status: 'ORDERED' });

    await orders.next();

    expect(calls).toEqual(['find', 'order while ORDERED', 'save done']);
  });

  test('is queried while unconfirmed and given up by request time', async () => {
    const unconfirmedSince = new Date(START - 59_999);
    const { orders, calls, record, time } = createWorld(
      { status: 'UNCONFIRMED', unconfirmedSince },
      {
        find: async () => {
          time.now += 5;
          return null;
        },
      },
    );

    await orders.next();

    expect(calls).toEqual(['save not_found']);
    expect(record.row.status).toBe('UNCONFIRMED');
  });

  test('missing at its provider after acceptance is a retried error', async () => {
    const { orders, calls, record } = createWorld({ status: 'ACCEPTED', acceptedAt: new Date(0) });

    await expect(orders.next()).rejects.toMatchObject({ code: 'PROVIDER_ERROR' });

    expect(calls).toEqual(['find', 'save unknown']);
    expect(record.row).toMatchObject({
      status: 'ACCEPTED',
      dueAt: new Date(START + 1_000),
      leaseToken: null,
    });
  });

  test('with a lost answer throws and is checked again', async () => {
    const lost = new Error('lost');
    const { orders, record } = createWorld({}, { order: () => Promise.reject(lost) });

    await expect(orders.next()).rejects.toBe(lost);

    expect(record.row).toMatchObject({ status: 'ORDERED', dueAt: new Date(START + 1_000), leaseToken: null });
  });

  test('does not leave after its lease', async () => {
    const { orders, calls, record } = createWorld({ status: 'ORDERED', leaseToken: 'mine' });
    const lease = createLease({ token: 'mine', until: new Date(START), clock: () => new Date(START) });

    await expect(orders.advance({ item: record.row, lease })).rejects.toBeInstanceOf(LeaseOver);

    expect(calls).toEqual(['find', 'save unknown']);
  });

  test('returns its last recorded state', async () => {
    const { orders, calls, record } = createWorld({ leaseToken: 'mine' });
    const lease = createLease({ token: 'mine', until: new Date(START + 1), clock: () => new Date(START) });

    expect(await orders.advance({ item: record.row, lease })).toBe('done');

    expect(calls).toEqual(['save sending', 'order while ORDERED', 'save done']);
  });

  test('does not leave before it is ready', async () => {
    const until = new Date(START + 9_000);
    const { orders, calls, record } = createWorld({}, { prepare: async () => ({ state: 'wait', until }) });

    await orders.next();

    expect(calls).toEqual(['save wait']);
    expect(record.row).toMatchObject({ status: 'STORED', dueAt: until });
  });

  test('that can never be ready is cancelled', async () => {
    const { orders, calls, record } = createWorld({}, { prepare: async () => ({ state: 'cancelled' }) });

    await orders.next();

    expect(calls).toEqual(['save cancelled']);
    expect(record.row).toMatchObject({ status: 'FAILED', dueAt: null });
  });

  test('cancelled by another replica does not leave', async () => {
    const { orders, calls, record } = createWorld(
      {},
      {
        prepare: async () => {
          record.row = { ...record.row, status: 'FAILED', leaseToken: null };
          return { state: 'ready' };
        },
      },
    );

    await orders.next();

    expect(calls).toEqual(['save sending, late']);
  });

  test('that can’t be repeated stays unconfirmed when not found', async () => {
    const { orders, calls, record } = createWorld({ status: 'ORDERED' }, { mayOrderAgain: () => false });

    await orders.next();

    expect(calls).toEqual(['find', 'save not_found']);
    expect(record.row.status).toBe('UNCONFIRMED');
  });
});
