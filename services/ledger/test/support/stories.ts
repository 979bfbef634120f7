import { MAX_AMOUNT, newId, type Tenant } from '@plataforma/kernel';
import fc from 'fast-check';
import { type Books, type Outcome, type PostedEntry, post } from '../../src/domain/books.ts';
import { entryKey } from '../../src/domain/entry.ts';
import type { Fact, FactOf } from '../../src/domain/fact.ts';
import { emptyWallet, sum, type Wallet, walletKey, withdrawable } from '../../src/domain/wallet.ts';

export const tenants = [
  { merchantId: newId(), environment: 'sandbox' },
  { merchantId: newId(), environment: 'production' },
] as const;

export const at = '2026-11-21T12:00:00.000Z';
export const origin = { occurredAt: at, orderedBy: 'service:charges' } as const;
/**
 * The settlement time of receivables that no history reaches. Receivables with any other settlement time are
 * due from the beginning of the history.
 */
export const toCome = '2099-01-01T00:00:00.000Z';

/** A random step of a history. `pick` selects the earlier fact that the step is about. */
export interface Step {
  what:
    | 'pay'
    | 'refund'
    | 'refuse'
    | 'open'
    | 'win'
    | 'lose'
    | 'overtake'
    | 'due'
    | 'unmatched'
    | 'return'
    | 'withdraw'
    | 'complete'
    | 'give back'
    | 'forestall'
    | 'block'
    | 'unblock'
    | 'adjust'
    | 'repost'
    | 'distort';
  pick: number;
  amount: number;
  share: number;
  isCard: boolean;
  isPending: boolean;
}

export const steps: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(
    ...(['pay', 'pay', 'refund', 'refuse', 'open', 'open', 'win', 'lose', 'overtake', 'due'] as const),
    ...(['unmatched', 'return', 'repost', 'repost', 'distort', 'block', 'unblock', 'adjust'] as const),
    ...(['withdraw', 'withdraw', 'complete', 'give back', 'forestall'] as const),
  ),
  pick: fc.nat({ max: 1_000 }),
  amount: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: MAX_AMOUNT })),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  isCard: fc.boolean(),
  isPending: fc.boolean(),
});

interface PostedBatch {
  facts: Fact[];
  outcome: Outcome;
  entries: PostedEntry[];
  before: Books;
}

export interface Story {
  books: Books;
  batches: PostedBatch[];
}

export function emptyBooks(): Books {
  const wallets = new Map<string, Wallet>(tenants.map((tenant) => [walletKey(tenant), emptyWallet(tenant)]));
  const now = '2026-11-21T12:00:00.000000Z';
  const moments = new Map(tenants.map((tenant) => [walletKey(tenant), { at: now, lastRow: 0 }]));
  return { wallets, receivables: new Map(), entries: new Map(), refused: new Set(), moments, now };
}

export const copyOf = ({ wallets, receivables, entries, refused, moments, now }: Books): Books => ({
  wallets: new Map(wallets),
  receivables: new Map(receivables),
  entries: new Map(entries),
  refused: new Set(refused),
  moments: new Map(moments),
  now,
});

function ofKind<K extends Fact['kind']>(batches: readonly PostedBatch[], kind: K): FactOf<K>[] {
  const isOfKind = (fact: Fact): fact is FactOf<K> & Fact => fact.kind === kind;
  return batches.flatMap(({ facts }) => facts.filter(isOfKind));
}

const oneOf = <T>(things: readonly T[], pick: number): T | undefined => things[pick % things.length];

function disputeAbout(charge: FactOf<'charge_paid'>, share: number): FactOf<'dispute_opened'> {
  const { merchantId, environment, reference: chargeId, method } = charge;
  const amount = 1 + Math.floor((charge.amount - 1) * share);
  const what = { merchantId, environment, reference: newId(), ...origin, chargeId, method, amount };
  return { kind: 'dispute_opened', ...what };
}

/** Returns a part of `money`, often nearly all of it. The amount sometimes exceeds `money` by a cent. */
function partOf(money: number, { share, isPending, amount }: Step): number {
  return money === 0 ? amount : Math.max(1, Math.floor(money * share)) + (isPending && share > 0.9 ? 1 : 0);
}

function withdrawalBy(tenant: Tenant, amount: number, { share }: Step): FactOf<'withdrawal_created'> {
  const fee = Math.floor(amount * share * 0.2);
  const what = { ...tenant, reference: newId(), ...origin, method: 'PIX' as const };
  return { kind: 'withdrawal_created', ...what, netAmount: Math.max(1, amount - fee), fee };
}

/** Returns the late debit of a withdrawal whose completion or return was posted first. */
function lateOrder({ pick }: Step, { batches }: Story): Fact | undefined {
  const end = oneOf(
    [...ofKind(batches, 'withdrawal_returned'), ...ofKind(batches, 'withdrawal_completed')],
    pick,
  );
  return end && { ...end, kind: 'withdrawal_created', method: 'PIX' };
}

function endOf(
  kind: 'withdrawal_completed' | 'withdrawal_returned',
  { method: _method, ...withdrawal }: FactOf<'withdrawal_created'>,
): Fact {
  return { ...withdrawal, kind };
}

function abandoned({ method: _method, ...withdrawal }: FactOf<'withdrawal_created'>): Fact {
  return { ...withdrawal, kind: 'withdrawal_returned', isAbandoned: true };
}

/** Returns the fact with a different amount, so that the returned fact contradicts the original. */
function distorted(fact: Fact): Fact {
  if ('netAmount' in fact) return { ...fact, netAmount: fact.netAmount + 1 };
  // Add 2 to -1, because an adjustment of 0 is not allowed.
  return 'amount' in fact ? { ...fact, amount: fact.amount + (fact.amount === -1 ? 2 : 1) } : fact;
}

/**
 * Returns the facts of a step. Returns none if the history has no earlier fact that the step could be about.
 */
export function factsFor(step: Step, story: Story): Fact[] {
  const { batches } = story;
  const tenant = tenants[step.pick % 2 ? 1 : 0];
  const posted = ofKind(batches, 'withdrawal_created').filter((fact) =>
    story.books.entries.has(entryKey(fact)),
  );
  const withdrawal = oneOf(posted, step.pick);
  const wallet = story.books.wallets.get(walletKey(tenant)) ?? emptyWallet(tenant);
  const spent = partOf(withdrawable(wallet), step);
  const byOperator = { ...tenant, reference: newId(), ...origin, memo: 'why' };
  switch (step.what) {
    case 'withdraw':
      return [(step.isPending && lateOrder(step, story)) || withdrawalBy(tenant, spent, step)];
    case 'complete':
      return withdrawal ? [endOf('withdrawal_completed', withdrawal)] : [];
    case 'give back':
      return withdrawal ? [endOf('withdrawal_returned', withdrawal)] : [];
    case 'forestall': {
      const early = withdrawalBy(tenant, spent, step);
      if (!step.isCard) return [endOf('withdrawal_completed', early)];
      return [step.isPending ? abandoned(early) : endOf('withdrawal_returned', early)];
    }
    case 'block':
      return [{ ...byOperator, kind: 'block', amount: spent }];
    case 'unblock': {
      const wallets = [...story.books.wallets.values()];
      const { merchantId, environment, blocked } = wallets.find((one) => sum(one.blocked) > 0) ?? wallet;
      return [
        { ...byOperator, merchantId, environment, kind: 'unblock', amount: partOf(sum(blocked), step) },
      ];
    }
    case 'adjust':
      return [{ ...byOperator, kind: 'adjustment', amount: step.isCard ? -spent : step.amount }];
    case 'repost':
      return oneOf(batches, step.pick)?.facts ?? [];
    case 'distort':
      return (oneOf(batches, step.pick)?.facts ?? []).map(distorted);
    default:
      return factsOfCharges(step, story);
  }
}

function factsOfCharges(step: Step, { batches, books }: Story): Fact[] {
  const tenant = tenants[step.pick % 2 ? 1 : 0];
  const charge = oneOf(ofKind(batches, 'charge_paid'), step.pick);
  const refund = oneOf(ofKind(batches, 'refund'), step.pick);
  const dispute = oneOf(ofKind(batches, 'dispute_opened'), step.pick);
  const unmatched = oneOf(ofKind(batches, 'unexpected_payment_received'), step.pick);
  const receivable = oneOf([...books.receivables.values()], step.pick);
  switch (step.what) {
    case 'pay':
      return [paymentTo(tenant, step)];
    case 'refund': {
      if (!charge) return [];
      const { kind: _kind, amount, ...rest } = disputeAbout(charge, step.share);
      return [{ ...rest, kind: 'refund', amount, externalId: charge.externalId }];
    }
    case 'refuse': {
      if (!refund) return [];
      const { externalId: _externalId, ...rest } = refund;
      return [{ ...rest, kind: 'refund_refused' }];
    }
    case 'open':
      return charge ? [disputeAbout(charge, step.share)] : [];
    case 'win':
      return dispute ? [{ ...dispute, kind: 'dispute_won' }] : [];
    case 'lose':
      return dispute ? [{ ...dispute, kind: 'dispute_lost' }] : [];
    case 'overtake': {
      if (!charge) return [];
      const opened = disputeAbout(charge, step.share);
      return [opened, { ...opened, kind: step.isCard ? 'dispute_lost' : 'dispute_won' }];
    }
    case 'due': {
      if (!receivable) return [];
      const { merchantId, environment, chargeId, dueReference: reference } = receivable;
      return [{ merchantId, environment, chargeId, reference, kind: 'receivable_due', ...origin }];
    }
    case 'unmatched': {
      const payment = { ...tenant, reference: newId(), ...origin, amount: step.amount };
      return [{ ...payment, kind: 'unexpected_payment_received', method: 'PIX' }];
    }
    default:
      return unmatched ? [{ ...unmatched, kind: 'unexpected_payment_returned' }] : [];
  }
}

function paymentTo(tenant: Tenant, step: Step): FactOf<'charge_paid'> {
  return {
    ...tenant,
    kind: 'charge_paid',
    reference: newId(),
    ...origin,
    method: step.isCard ? 'CARD' : 'PIX',
    amount: step.amount,
    fee: Math.floor(step.amount * step.share),
    externalId: 'pedido-1',
    settlesAt: step.isCard && step.isPending ? (step.pick % 3 ? toCome : at) : null,
  };
}

export function postAll(all: readonly Step[]): Story {
  const story: Story = { books: emptyBooks(), batches: [] };
  for (const step of all) {
    const facts = factsFor(step, story);
    const before = copyOf(story.books);
    story.batches.push({ facts, before, ...post(story.books, facts) });
  }
  return story;
}
