import { MAX_AMOUNT, newId } from '@plataforma/kernel';
import fc from 'fast-check';
import { type Books, type Outcome, type PostedEntry, post } from '../../src/domain/books.ts';
import type { Fact, FactOf } from '../../src/domain/fact.ts';
import { emptyWallet, type Wallet, walletKey } from '../../src/domain/wallet.ts';

export const tenants = [
  { merchantId: newId(), environment: 'sandbox' },
  { merchantId: newId(), environment: 'production' },
] as const;

export const at = '2026-11-21T12:00:00.000Z';

/** One thing that happens; `pick` chooses what it happens to among all that happened before. */
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
    | 'stray'
    | 'return'
    | 'retell';
  pick: number;
  amount: number;
  share: number;
  isCard: boolean;
  isPending: boolean;
}

export const steps: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(
    ...(['pay', 'pay', 'refund', 'refuse', 'open', 'open', 'win', 'lose', 'overtake', 'due'] as const),
    ...(['stray', 'return', 'retell'] as const),
  ),
  pick: fc.nat({ max: 1_000 }),
  amount: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: MAX_AMOUNT })),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  isCard: fc.boolean(),
  isPending: fc.boolean(),
});

interface Told {
  facts: Fact[];
  outcome: Outcome;
  entries: PostedEntry[];
  before: Books;
}

export interface Story {
  books: Books;
  told: Told[];
}

export function emptyBooks(): Books {
  const wallets = new Map<string, Wallet>(tenants.map((tenant) => [walletKey(tenant), emptyWallet(tenant)]));
  return { wallets, receivables: new Map(), entries: new Map(), refused: new Set() };
}

export const copyOf = ({ wallets, receivables, entries, refused }: Books): Books => ({
  wallets: new Map(wallets),
  receivables: new Map(receivables),
  entries: new Map(entries),
  refused: new Set(refused),
});

export function ofKind<K extends Fact['kind']>(told: readonly Told[], kind: K): FactOf<K>[] {
  const isOfKind = (fact: Fact): fact is FactOf<K> & Fact => fact.kind === kind;
  return told.flatMap(({ facts }) => facts.filter(isOfKind));
}

const oneOf = <T>(things: readonly T[], pick: number): T | undefined => things[pick % things.length];

function disputeAbout(charge: FactOf<'charge_paid'>, share: number): FactOf<'dispute_opened'> {
  const { merchantId, environment, reference: chargeId, method } = charge;
  const amount = 1 + Math.floor((charge.amount - 1) * share);
  const what = { merchantId, environment, reference: newId(), occurredAt: at, chargeId, method, amount };
  return { kind: 'dispute_opened', ...what };
}

/** The facts a step tells; none when there is nothing it could be about. */
export function factsFor(step: Step, { told, books }: Story): Fact[] {
  const tenant = tenants[step.pick % 2 ? 1 : 0];
  const charge = oneOf(ofKind(told, 'charge_paid'), step.pick);
  const refund = oneOf(ofKind(told, 'refund'), step.pick);
  const dispute = oneOf(ofKind(told, 'dispute_opened'), step.pick);
  const stray = oneOf(ofKind(told, 'unexpected_payment_received'), step.pick);
  const receivable = oneOf([...books.receivables.values()], step.pick);
  switch (step.what) {
    case 'pay':
      return [
        {
          ...tenant,
          kind: 'charge_paid',
          reference: newId(),
          occurredAt: at,
          method: step.isCard ? 'CARD' : 'PIX',
          amount: step.amount,
          fee: Math.floor(step.amount * step.share),
          externalId: 'pedido-1',
          settlesAt: step.isCard && step.isPending ? at : null,
        },
      ];
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
      return [{ merchantId, environment, chargeId, reference, kind: 'receivable_due', occurredAt: at }];
    }
    case 'stray': {
      const payment = { ...tenant, reference: newId(), occurredAt: at, amount: step.amount };
      return [{ ...payment, kind: 'unexpected_payment_received', method: 'PIX' }];
    }
    case 'return':
      return stray ? [{ ...stray, kind: 'unexpected_payment_returned' }] : [];
    case 'retell':
      return oneOf(told, step.pick)?.facts ?? [];
  }
}

/** What the ledger does with facts, without a database. */
export function tell(all: readonly Step[]): Story {
  const story: Story = { books: emptyBooks(), told: [] };
  for (const step of all) {
    const facts = factsFor(step, story);
    const before = copyOf(story.books);
    story.told.push({ facts, before, ...post(story.books, facts) });
  }
  return story;
}
