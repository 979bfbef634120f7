import { describe, expect, test } from '@jest/globals';
import { createLease, nextOrderState, type OrderInput, type OrderState } from '../src/index.ts';
import type { Outcome } from './support/provider.ts';

const at = (ms: number) => new Date(ms);
const NOW = at(5_000);
const UNTIL = at(10_000);
const OPTIONS = {
  backoff: { kind: 'doubling', firstMs: 1_000, longestMs: 8_000 } as const,
  unconfirmedMs: 60_000,
  watch: { everyMs: 900, forMs: 2_000 },
  now: NOW,
  lease: createLease({ token: 'mine', until: UNTIL, clock: () => NOW }),
};

function order(changes: Partial<OrderState>): OrderState {
  return {
    status: 'ORDERED',
    amount: 1_000,
    attempts: 1,
    unconfirmedSince: null,
    acceptedAt: null,
    endedAt: null,
    reference: null,
    leaseToken: 'mine',
    leaseUntil: UNTIL,
    dueAt: UNTIL,
    ...changes,
  };
}

const answer = (outcome: Outcome, isFirst = false): OrderInput<Outcome> => ({
  kind: 'answer',
  outcome,
  isFirst,
});
const done = { state: 'done', reference: 'E1', amount: 1_000 } as const;

describe('a refusal', () => {
  test('ends an order as the answer to its first attempt', () => {
    const { verb, next } = nextOrderState(order({}), answer({ state: 'refused' }, true), OPTIONS);

    expect(verb).toBe('refuse');
    expect(next).toMatchObject({ status: 'FAILED', endedAt: NOW, leaseToken: null, leaseUntil: null });
  });

  test('stays unconfirmed while an earlier order may be under way', () => {
    const { verb, next } = nextOrderState(order({}), answer({ state: 'refused' }), OPTIONS);

    expect(verb).toBe('unconfirm');
    expect(next).toMatchObject({ status: 'UNCONFIRMED', unconfirmedSince: NOW, dueAt: at(65_000) });
  });

  test('is final only after a query that follows the wait', () => {
    const unconfirmed = order({ status: 'UNCONFIRMED', unconfirmedSince: at(0) });
    const later = { ...OPTIONS, now: at(70_000) };

    expect(nextOrderState(unconfirmed, { kind: 'not_found', requestedAt: at(60_000) }, later).verb).toBe(
      'give_up',
    );
    const early = nextOrderState(unconfirmed, { kind: 'not_found', requestedAt: at(59_999) }, later);
    expect(early.verb).toBeNull();
    expect(early.next).toMatchObject({ status: 'UNCONFIRMED', dueAt: at(70_000) });
  });
});

describe('a late input', () => {
  const taken = { leaseToken: 'another' };

  test('ends an open order when it proves the outcome', () => {
    const { verb, isLate, next } = nextOrderState(order(taken), answer(done), OPTIONS);

    expect([verb, isLate]).toEqual(['complete', true]);
    expect(next).toMatchObject({ status: 'DONE', reference: 'E1', leaseToken: 'another', dueAt: null });
  });

  test.each<[string, OrderInput<Outcome>]>([
    ['a refusal', answer({ state: 'refused' }, true)],
    ['a query', { kind: 'not_found', requestedAt: NOW }],
    ['an order before it is sent', { kind: 'sending' }],
    ['a cancellation', { kind: 'cancelled' }],
    ['an error', { kind: 'unknown', error: new Error('lost') }],
    ['a wait', { kind: 'wait', until: at(99_000) }],
  ])('is dropped when it is %s', (_, input) => {
    const locked = order({ ...taken, status: input.kind === 'sending' ? 'STORED' : 'ORDERED' });

    expect(nextOrderState(locked, input, OPTIONS)).toEqual({
      verb: null,
      isLate: true,
      next: locked,
      alarm: null,
    });
  });
});

describe('the reference', () => {
  test('is taken from the payment that was made', () => {
    const taken = order({ status: 'ACCEPTED', acceptedAt: at(0), reference: 'E0' });

    expect(nextOrderState(taken, answer(done), OPTIONS).next.reference).toBe('E1');
    expect(nextOrderState(taken, answer({ ...done, reference: null }), OPTIONS).next.reference).toBe('E0');
    expect(
      nextOrderState(taken, answer({ state: 'accepted', reference: 'E2' }), OPTIONS).next.reference,
    ).toBe('E0');
  });
});

describe('a contradiction of the record', () => {
  test.each<[string, Partial<OrderState>, Outcome]>([
    ['DONE_AFTER_FAILED', { status: 'FAILED', endedAt: at(0) }, done],
    ['FAILED_AFTER_DONE', { status: 'DONE', endedAt: at(0) }, { state: 'failed' }],
    ['DONE_TWICE', { status: 'DONE', endedAt: at(0), reference: 'E2' }, done],
    ['ANOTHER_AMOUNT', { status: 'DONE', endedAt: at(0) }, { ...done, amount: 999 }],
    ['RETURNED', { status: 'DONE', endedAt: at(0) }, { state: 'sent_back_by_bank', reference: 'E1' }],
  ])('raises the alarm %s and changes no end', (kind, recorded, outcome) => {
    const { verb, alarm, next } = nextOrderState(order(recorded), answer(outcome), OPTIONS);

    expect(verb).toBeNull();
    expect(alarm).toMatchObject({ kind, recorded: recorded.status });
    expect(next.status).toBe(recorded.status);
  });

  test('in the amount completes an open order with an alarm', () => {
    const { verb, alarm } = nextOrderState(order({}), answer({ ...done, amount: 2_000 }), OPTIONS);

    expect(verb).toBe('complete');
    expect(alarm).toEqual({ kind: 'ANOTHER_AMOUNT', recorded: 'ORDERED', reference: 'E1', amount: 2_000 });
  });

  test.each<[string, OrderState['status'], Outcome]>([
    ['the same final state', 'DONE', done],
    ['a final state without an amount', 'DONE', { ...done, reference: null, amount: null }],
    ['a failure of a failed order', 'FAILED', { state: 'failed' }],
    ['a refusal of a done order', 'DONE', { state: 'refused' }],
  ])('is not %s', (_, status, outcome) => {
    expect(nextOrderState(order({ status, endedAt: at(0) }), answer(outcome), OPTIONS).alarm).toBeNull();
  });
});

test.each(['ACCEPTED', 'DONE'] as const)('a query without an order changes nothing that is %s', (status) => {
  const notFound = { kind: 'not_found', requestedAt: NOW } as const;
  const { verb, alarm } = nextOrderState(
    order({ status, acceptedAt: at(0), endedAt: at(0) }),
    notFound,
    OPTIONS,
  );

  expect([verb, alarm]).toEqual([null, null]);
});

describe('the next check', () => {
  test('is delayed by attempts while the end is unknown', () => {
    const { next } = nextOrderState(
      order({ attempts: 3 }),
      { kind: 'unknown', error: new Error('lost') },
      OPTIONS,
    );

    expect(next).toMatchObject({ status: 'ORDERED', attempts: 3, dueAt: at(9_000), leaseToken: null });
  });

  test('follows a notice that came during the claim', () => {
    const madeDue = order({ dueAt: at(4_000) });

    expect(
      nextOrderState(madeDue, answer({ state: 'accepted', reference: null }), OPTIONS).next.dueAt,
    ).toEqual(at(4_000));
  });

  test('watches a failed order for a limited time', () => {
    const failed = order({ status: 'FAILED', endedAt: at(4_000) });
    const notFound = { kind: 'not_found', requestedAt: NOW } as const;

    expect(nextOrderState(failed, notFound, OPTIONS).next.dueAt).toEqual(at(5_900));
    expect(nextOrderState(failed, notFound, { ...OPTIONS, now: at(5_101) }).next.dueAt).toBeNull();
    expect(nextOrderState(failed, notFound, { ...OPTIONS, watch: null }).next.dueAt).toBeNull();
  });

  test('watches equally long when the end is dated ahead', () => {
    const failed = order({ status: 'FAILED', endedAt: at(904_000), endAheadMs: 900_000 });
    const notFound = { kind: 'not_found', requestedAt: NOW } as const;

    expect(nextOrderState(failed, notFound, OPTIONS).next.dueAt).toEqual(at(5_900));
    expect(nextOrderState(failed, notFound, { ...OPTIONS, now: at(5_101) }).next.dueAt).toBeNull();
  });

  test.each(['FAILED', 'DONE'] as const)('of an order that is %s ends despite missing answers', (status) => {
    const ended = order({ status, endedAt: at(4_000) });
    const unknown = { kind: 'unknown', error: new Error('lost') } as const;

    expect(nextOrderState(ended, unknown, OPTIONS).next.dueAt).toEqual(at(5_900));
    expect(nextOrderState(ended, unknown, { ...OPTIONS, now: at(5_101) }).next.dueAt).toBeNull();
    expect(nextOrderState(ended, unknown, { ...OPTIONS, watch: null }).next.dueAt).toEqual(at(6_000));
  });

  test('follows a failed order at work until its end', () => {
    const failed = order({ status: 'FAILED', endedAt: at(0), acceptedAt: null });
    const atWork = nextOrderState(failed, answer({ state: 'accepted', reference: 'E1' }), {
      ...OPTIONS,
      watch: null,
    }).next;
    const notFound = { kind: 'not_found', requestedAt: NOW } as const;
    const claimed = { ...atWork, leaseToken: 'mine', dueAt: UNTIL };

    expect(atWork).toMatchObject({ acceptedAt: NOW, dueAt: at(6_000) });
    expect(nextOrderState(claimed, notFound, { ...OPTIONS, watch: null }).next.dueAt).toEqual(at(6_000));
    expect(
      nextOrderState(claimed, answer({ state: 'failed' }), { ...OPTIONS, watch: null }).next.dueAt,
    ).toBeNull();
  });

  test('follows a failed order dated ahead of the clock', () => {
    const failed = order({ status: 'FAILED', endedAt: at(904_000), endAheadMs: 900_000 });
    const atWork = nextOrderState(failed, answer({ state: 'accepted', reference: 'E1' }), OPTIONS).next;
    const notFound = { kind: 'not_found', requestedAt: NOW } as const;
    const moved = { leaseToken: 'mine', dueAt: UNTIL, endAheadMs: 9_000_000 };
    const before = order({ ...failed, ...moved, acceptedAt: at(3_000) });

    expect(atWork).toMatchObject({ acceptedAt: at(904_000), dueAt: at(6_000) });
    expect(nextOrderState({ ...atWork, ...moved }, notFound, OPTIONS).next.dueAt).toEqual(at(6_000));
    expect(nextOrderState(before, notFound, OPTIONS).next.dueAt).toBeNull();
  });

  test('does not exist after a cancellation', () => {
    const { verb, next } = nextOrderState(order({ status: 'STORED' }), { kind: 'cancelled' }, OPTIONS);

    expect(verb).toBe('cancel');
    expect(next).toMatchObject({ status: 'FAILED', dueAt: null });
  });
});
