import {
  type Alarm,
  type Claimed,
  createLease,
  isEnd,
  type OrderDecision,
  type OrderState,
  type OrderStatus,
} from '../../src/index.ts';
import { AMOUNT, type Outcome } from './provider.ts';

const LEASE_MS = 10;

/**
 * The row of the only order, as a database would store it, and the final statuses that a service would
 * announce.
 */
export class OrderRecord {
  row: OrderState = {
    status: 'STORED',
    amount: AMOUNT,
    attempts: 0,
    unconfirmedSince: null,
    acceptedAt: null,
    endedAt: null,
    reference: null,
    leaseToken: null,
    leaseUntil: null,
    dueAt: new Date(0),
  };
  readonly alarms = new Set<Alarm['kind']>();
  readonly announced: OrderStatus[] = [];
  /** A final status that a later save has wrongly replaced. */
  overwritten: OrderStatus | null = null;
  readonly #results: Set<string>;
  #claims = 0;

  constructor(results: Set<string>) {
    this.#results = results;
  }

  /** Returns the time when the order can next be claimed, or null when it cannot be claimed. */
  get claimableAt(): number | null {
    const { dueAt, leaseUntil } = this.row;
    if (!dueAt) return null;
    return leaseUntil && leaseUntil > dueAt ? leaseUntil.getTime() : dueAt.getTime();
  }

  claimDue(now: number, clock: () => Date): Claimed<OrderState> | null {
    const at = this.claimableAt;
    if (at === null || at > now) return null;
    const token = `claim ${++this.#claims}`;
    const until = new Date(now + LEASE_MS);
    const attempts = this.row.attempts + 1;
    this.row = { ...this.row, leaseToken: token, leaseUntil: until, dueAt: until, attempts };
    return { item: this.row, lease: createLease({ token, until, clock }) };
  }

  /**
   * Returns true when a notice of the provider would make the order due earlier. The provider sends no notice
   * about an order with the status STORED.
   */
  canBeMadeDue(now: number): boolean {
    const { status, dueAt } = this.row;
    return status !== 'STORED' && (dueAt === null || dueAt.getTime() > now);
  }

  makeDue(now: number): void {
    this.row = { ...this.row, dueAt: new Date(now) };
  }

  /** Saves a decision. Returns the input of the decision in words, such as `accepted, late`. */
  save({ verb, isLate, next, alarm, input }: OrderDecision<Outcome>): string {
    const before = this.row.status;
    if (isEnd(before) && next.status !== before) this.overwritten = before;
    if (isEnd(next.status) && !isEnd(before)) this.announced.push(next.status);
    this.row = next;
    const what = input.kind === 'answer' ? input.outcome.state : input.kind;
    const saved = isLate ? `${what}, late` : what;
    this.#results.add(`${saved}: ${verb ?? 'nothing'}`);
    if (alarm) {
      this.#results.add(alarm.kind);
      this.alarms.add(alarm.kind);
    }
    return saved;
  }
}
