import type { Fact, FactOf } from '../../src/domain/fact.ts';
import { toCome } from './stories.ts';

const methods = ['PIX', 'CARD', 'BOLETO'] as const;
type Method = (typeof methods)[number];
const pot = () => ({ PIX: 0, CARD: 0, BOLETO: 0 });
type Pot = ReturnType<typeof pot>;
const all = (money: Pot) => money.PIX + money.CARD + money.BOLETO;

interface Purse extends Record<'available' | 'pending' | 'reserved' | 'blocked', Pot> {
  disputeDebt: number;
  collectableDebt: number;
  totalEarned: number;
  totalWithdrawn: number;
  totalFeesPaid: number;
}

interface Taken {
  pending: number;
  available: Pot;
  missing: number;
}

/** Returns the fields that must be equal if a fact is reported again. */
function contentOf(fact: Fact): string {
  const { merchantId, environment } = fact;
  const said = new Map(Object.entries(fact));
  const names = ['chargeId', 'amount', 'fee', 'netAmount', 'memo'];
  return JSON.stringify([merchantId, environment, ...names.map((name) => said.get(name) ?? null)]);
}

const beginnings: Partial<Record<Fact['kind'], Fact['kind']>> = {
  refund_refused: 'refund',
  dispute_won: 'dispute_opened',
  dispute_lost: 'dispute_opened',
  withdrawal_completed: 'withdrawal_created',
  withdrawal_returned: 'withdrawal_created',
  unexpected_payment_returned: 'unexpected_payment_received',
};
const otherEnds: Partial<Record<Fact['kind'], Fact['kind']>> = {
  dispute_won: 'dispute_lost',
  dispute_lost: 'dispute_won',
  withdrawal_completed: 'withdrawal_returned',
  withdrawal_returned: 'withdrawal_completed',
};

/**
 * A simple model of the ledger. It stores balances and the amounts that each fact took from them, but no
 * journal lines or entries.
 */
export class Model {
  readonly purses = new Map<string, Purse>();
  private stands = new Map<string, string>();
  private refused = new Set<string>();
  private taken = new Map<string, Taken>();
  private waiting = new Map<string, { left: number; method: Method; isToCome: boolean }>();

  /** Records facts in order. Stops at the first fact that the ledger must refuse, and then returns false. */
  post(facts: readonly Fact[]): boolean {
    return facts.every((fact) => this.record(fact));
  }

  purseOf(fact: Pick<Fact, 'merchantId' | 'environment'>): Purse {
    const key = `${fact.merchantId} ${fact.environment}`;
    const existing = this.purses.get(key);
    if (existing) return existing;
    const none = { disputeDebt: 0, collectableDebt: 0, totalEarned: 0, totalWithdrawn: 0, totalFeesPaid: 0 };
    const purse = { available: pot(), pending: pot(), reserved: pot(), blocked: pot(), ...none };
    this.purses.set(key, purse);
    return purse;
  }

  private record(fact: Fact): boolean {
    const key = `${fact.kind} ${fact.reference}`;
    const before = this.stands.get(key);
    if (before !== undefined) return fact.kind === 'receivable_due' || before === contentOf(fact);
    if (this.refused.has(key)) return false;
    const otherEnd = otherEnds[fact.kind];
    if (otherEnd && this.stands.has(`${otherEnd} ${fact.reference}`)) return false;
    const beginning = beginnings[fact.kind];
    if (beginning && !this.begins(beginning, fact)) return false;
    if (!this.happens(fact)) {
      if (['refund', 'withdrawal_created'].includes(fact.kind)) this.refused.add(key);
      return false;
    }
    this.stands.set(key, contentOf(fact));
    this.collect(this.purseOf(fact));
    return true;
  }

  private begins(kind: Fact['kind'], fact: Fact): boolean {
    const content = this.stands.get(`${kind} ${fact.reference}`);
    const isForestalled = content === undefined && fact.kind === 'withdrawal_returned';
    if (isForestalled) this.refused.add(`${kind} ${fact.reference}`);
    return content === contentOf(fact);
  }

  private happens(fact: Fact): boolean {
    const purse = this.purseOf(fact);
    switch (fact.kind) {
      case 'charge_paid':
        return this.pay(fact);
      case 'receivable_due':
        return this.settleReceivable(fact);
      case 'refund':
        return this.take(fact, 'all') !== null;
      case 'refund_refused':
        return this.giveBack(fact, fact.chargeId);
      case 'dispute_opened':
        return this.dispute(fact);
      case 'dispute_won':
      case 'dispute_lost':
        return this.endDispute(fact);
      case 'withdrawal_created':
        if (!this.spend(fact, fact.netAmount + fact.fee)) return false;
        purse.totalWithdrawn += fact.netAmount;
        purse.totalFeesPaid += fact.fee;
        return true;
      case 'withdrawal_returned':
        purse.totalWithdrawn -= fact.netAmount;
        purse.totalFeesPaid -= fact.fee;
        return this.giveBack(fact, null);
      case 'block':
        return this.block(fact);
      case 'unblock':
        return this.unblock(fact);
      case 'adjustment':
        if (fact.amount < 0) return this.spend(fact, -fact.amount);
        purse.available.PIX += fact.amount;
        return true;
      default:
        return true;
    }
  }

  private pay({ reference, method, amount, fee, settlesAt, ...owner }: FactOf<'charge_paid'>): true {
    const purse = this.purseOf(owner);
    purse[settlesAt === null ? 'available' : 'pending'][method] += amount - fee;
    const money = { left: amount - fee, method, isToCome: settlesAt === toCome };
    if (settlesAt !== null) this.waiting.set(reference, money);
    purse.totalEarned += amount;
    purse.totalFeesPaid += fee;
    return true;
  }

  private settleReceivable(fact: FactOf<'receivable_due'>): boolean {
    const waiting = this.waiting.get(fact.chargeId);
    if (!waiting?.left) return false;
    const purse = this.purseOf(fact);
    purse.pending[waiting.method] -= waiting.left;
    purse.available[waiting.method] += waiting.left;
    waiting.left = 0;
    return true;
  }

  /**
   * Takes the charge's pending money first, then available money of the charge's payment method, then other
   * available money.
   */
  private take(fact: FactOf<'refund' | 'dispute_opened'>, how: 'all' | 'what there is'): Taken | null {
    const purse = this.purseOf(fact);
    const waiting = this.waiting.get(fact.chargeId);
    const pending = Math.min(fact.amount, waiting?.left ?? 0);
    const free = Math.min(fact.amount - pending, Math.max(0, all(purse.available) - purse.disputeDebt));
    const missing = fact.amount - pending - free;
    if (how === 'all' && missing > 0) return null;
    if (waiting) {
      waiting.left -= pending;
      purse.pending[waiting.method] -= pending;
    }
    const taken = { pending, available: move(purse.available, free, fact.method), missing };
    this.taken.set(fact.reference, taken);
    return taken;
  }

  private spend(fact: Fact, amount: number): boolean {
    const purse = this.purseOf(fact);
    if (amount > all(purse.available) - purse.disputeDebt) return false;
    this.taken.set(fact.reference, {
      pending: 0,
      available: move(purse.available, amount, 'PIX'),
      missing: 0,
    });
    return true;
  }

  private giveBack(fact: Fact, chargeId: string | null): boolean {
    const taken = this.taken.get(fact.reference);
    const purse = this.purseOf(fact);
    if (!taken) return false;
    for (const method of methods) purse.available[method] += taken.available[method];
    const waiting = this.waiting.get(chargeId ?? '');
    if (!waiting) return true;
    if (waiting.isToCome) waiting.left += taken.pending;
    purse[waiting.isToCome ? 'pending' : 'available'][waiting.method] += taken.pending;
    return true;
  }

  private dispute(fact: FactOf<'dispute_opened'>): boolean {
    const taken = this.take(fact, 'what there is');
    if (!taken) return false;
    this.reserve(fact, taken, 1);
    this.purseOf(fact).disputeDebt += taken.missing;
    return true;
  }

  /** Adds the amounts of a dispute to the reserved money (sign 1) or subtracts them (sign -1). */
  private reserve(
    fact: FactOf<'dispute_opened' | 'dispute_won' | 'dispute_lost'>,
    taken: Taken,
    sign: 1 | -1,
  ) {
    const { reserved } = this.purseOf(fact);
    for (const method of methods) reserved[method] += sign * taken.available[method];
    reserved[this.waiting.get(fact.chargeId)?.method ?? 'PIX'] += sign * taken.pending;
  }

  private endDispute(fact: FactOf<'dispute_won' | 'dispute_lost'>): boolean {
    const purse = this.purseOf(fact);
    const taken = this.taken.get(fact.reference);
    if (!taken) return false;
    this.reserve(fact, taken, -1);
    if (fact.kind === 'dispute_lost') {
      purse.collectableDebt += taken.missing;
      return true;
    }
    purse.disputeDebt -= taken.missing;
    return this.giveBack(fact, fact.chargeId);
  }

  private block(fact: FactOf<'block'>): boolean {
    const purse = this.purseOf(fact);
    if (!this.spend(fact, fact.amount)) return false;
    const taken = this.taken.get(fact.reference)?.available ?? pot();
    for (const method of methods) purse.blocked[method] += taken[method];
    return true;
  }

  private unblock(fact: FactOf<'unblock'>): boolean {
    const purse = this.purseOf(fact);
    if (fact.amount > all(purse.blocked)) return false;
    const amounts = move(purse.blocked, fact.amount, 'PIX');
    for (const method of methods) purse.available[method] += amounts[method];
    return true;
  }

  private collect(purse: Purse): void {
    const amount = Math.min(purse.collectableDebt, all(purse.available));
    move(purse.available, amount, 'PIX');
    purse.disputeDebt -= amount;
    purse.collectableDebt -= amount;
  }
}

/**
 * Takes an amount out of `from`: first from the payment method `first`, then from the other methods. Returns
 * the amount taken from each method.
 */
function move(from: Pot, amount: number, first: Method): Pot {
  const amounts = pot();
  let missing = amount;
  for (const method of [first, ...methods.filter((other) => other !== first)]) {
    amounts[method] = Math.min(missing, from[method]);
    from[method] -= amounts[method];
    missing -= amounts[method];
  }
  return amounts;
}
