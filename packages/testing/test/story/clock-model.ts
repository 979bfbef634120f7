export interface ModelCharge {
  id: string;
  method: 'PIX' | 'CARD';
  amount: number;
  fee: number;
  status: 'PENDING' | 'PAID' | 'EXPIRED' | 'REFUNDED' | 'DISPUTED';
  /** The day on which a PENDING charge expires, counted in days from the real current day. */
  endsDay: number;
  settlesAt: number;
  /** The cents of the charge that have not settled yet. */
  waiting: number;
  refunded: number;
  refunds: { amount: number; status: 'PROCESSING' | 'REFUNDED' | 'FAILED'; failureReason: string | null }[];
  dispute: ModelDispute | null;
}

interface ModelDispute {
  id: string;
  amount: number;
  status: 'OPEN' | 'RESOLVED_MERCHANT' | 'RESOLVED_CUSTOMER' | 'CANCELLED';
  /**
   * The cents of the dispute by their source. `pending` were taken from money that had not settled, and
   * `free` from the available balance. `missing` could not be taken.
   */
  pending: number;
  free: number;
  missing: number;
}

export interface ModelWithdrawal {
  id: string;
  amount: number;
  status: 'PENDING' | 'COMPLETED' | 'FAILED' | 'REJECTED';
}

/**
 * A row of the merchant's statement. Its day must be between `from` and `to`, counted in days from the real
 * current day.
 */
export type ModelRow = [type: string, amount: number, from: number, to: number];

const outcomes = {
  MERCHANT: 'RESOLVED_MERCHANT',
  CUSTOMER: 'RESOLVED_CUSTOMER',
  CANCELLED: 'CANCELLED',
} as const;

/**
 * A model of a merchant's money while the sandbox clock moves. It contains the balances and, for each refund
 * or dispute, the balances from which the money was taken.
 */
export class ClockModel {
  ahead = 0;
  /** The time of the sandbox clock after its last move. */
  private now = 0;
  readonly charges: ModelCharge[] = [];
  readonly withdrawals: ModelWithdrawal[] = [];
  readonly rows: ModelRow[] = [];
  private available = 0;
  private reserved = 0;
  private debt = 0;
  /** The debt from lost disputes. Income of the merchant pays this debt before it becomes available. */
  private collectable = 0;
  private readonly totals = { totalEarned: 0, totalWithdrawn: 0, totalFeesPaid: 0 };

  get withdrawable(): number {
    return Math.max(0, this.available - this.debt);
  }

  balance() {
    return {
      availableBalance: this.available,
      withdrawableBalance: this.withdrawable,
      pendingBalance: this.charges.reduce((sum, { waiting }) => sum + waiting, 0),
      reservedBalance: this.reserved,
      disputeDebt: this.debt,
      ...this.totals,
    };
  }

  pay(charge: ModelCharge): void {
    const net = charge.amount - charge.fee;
    charge.status = 'PAID';
    this.totals.totalEarned += charge.amount;
    this.totals.totalFeesPaid += charge.fee;
    this.post('CREDIT', charge.amount);
    this.post('FEE', -charge.fee);
    if (charge.method === 'CARD') charge.waiting = net;
    else this.credit(net);
  }

  /** Moves the sandbox clock forward by `days`. `now` is the new time of the clock. */
  advance(days: number, now: number): void {
    this.ahead += days;
    this.now = now;
    for (const charge of this.charges) {
      if (charge.status === 'PENDING' && charge.endsDay <= this.ahead) charge.status = 'EXPIRED';
      if (charge.waiting === 0 || charge.settlesAt > now) continue;
      this.credit(charge.waiting);
      charge.waiting = 0;
    }
  }

  /**
   * Takes the money of a refund from the balance, or returns null if the balance is too low. `refused`
   * returns the money, which is available from day `from` at the earliest.
   */
  refund(charge: ModelCharge, amount: number): { done: () => void; refused: (from?: number) => void } | null {
    const taken = this.take(charge, amount);
    if (taken.missing > 0) {
      this.giveBack(charge, taken);
      charge.refunds.push({ amount, status: 'FAILED', failureReason: 'insufficient_balance' });
      return null;
    }
    this.post('REFUND', -amount);
    const refund: ModelCharge['refunds'][number] = { amount, status: 'PROCESSING', failureReason: null };
    charge.refunds.push(refund);
    return {
      done: () => {
        refund.status = 'REFUNDED';
        charge.status = 'REFUNDED';
        charge.refunded = amount;
      },
      refused: (from = this.ahead) => {
        Object.assign(refund, { status: 'FAILED', failureReason: 'refused_by_provider' });
        this.post('REFUND', amount, from);
        this.giveBack(charge, taken);
      },
    };
  }

  dispute(charge: ModelCharge, id: string, amount: number): void {
    const { pending, free, missing } = this.take(charge, amount);
    const reserved = pending + free;
    this.reserved += reserved;
    this.debt += missing;
    this.post('DISPUTE_RESERVE', -reserved);
    this.post('DISPUTE_DEFICIT', -missing);
    charge.dispute = { id, amount, status: 'OPEN', pending, free, missing };
    if (charge.status === 'PAID') charge.status = 'DISPUTED';
  }

  /**
   * Ends a dispute. If the merchant gets the reserved money back, the formerly pending part settles at its
   * original time, or at once if that time has passed.
   */
  resolve(charge: ModelCharge, dispute: ModelDispute, outcome: keyof typeof outcomes): void {
    const { pending, free, missing } = dispute;
    const reserved = pending + free;
    dispute.status = outcomes[outcome];
    this.reserved -= reserved;
    if (outcome === 'CUSTOMER') {
      charge.status = 'REFUNDED';
      charge.refunded += dispute.amount;
      this.collectable += missing;
      this.credit(0);
      return;
    }
    if (charge.status === 'DISPUTED') charge.status = 'PAID';
    this.debt -= missing;
    this.post('DISPUTE_RELEASE', reserved);
    this.post('DISPUTE_DEFICIT', missing);
    this.giveBack(charge, dispute);
  }

  withdraw(withdrawal: ModelWithdrawal): void {
    this.withdrawals.push(withdrawal);
    this.available -= withdrawal.amount;
    this.totals.totalWithdrawn += withdrawal.amount;
    this.post('WITHDRAWAL', -withdrawal.amount);
  }

  endWithdrawal(withdrawal: ModelWithdrawal, status: ModelWithdrawal['status']): void {
    withdrawal.status = status;
    if (status === 'COMPLETED') return;
    this.totals.totalWithdrawn -= withdrawal.amount;
    this.post('WITHDRAWAL', withdrawal.amount);
    this.credit(withdrawal.amount);
  }

  /**
   * Takes the amount first from the charge's money that has not settled. Takes the remainder from the balance
   * that can be withdrawn.
   */
  private take(charge: ModelCharge, amount: number) {
    const pending = Math.min(amount, charge.waiting);
    const free = Math.min(amount - pending, this.withdrawable);
    charge.waiting -= pending;
    this.available -= free;
    return { pending, free, missing: amount - pending - free };
  }

  private giveBack(charge: ModelCharge, { pending, free }: { pending: number; free: number }): void {
    const isOver = charge.settlesAt <= this.now;
    if (!isOver) charge.waiting += pending;
    this.credit(isOver ? pending + free : free);
  }

  private credit(amount: number): void {
    this.available += amount;
    const collected = Math.min(this.collectable, Math.max(0, this.available));
    this.available -= collected;
    this.debt -= collected;
    this.collectable -= collected;
  }

  private post(type: string, amount: number, from = this.ahead): void {
    if (amount !== 0) this.rows.push([type, amount, from, this.ahead]);
  }
}
