import { type Clock, Refusal } from '@plataforma/kernel';

/** The columns of a claimed row that say who works on it. */
export interface LeasedRow {
  /** Of the last claim; null after its work was recorded. */
  leaseToken: string | null;
}

/** A row as a claim has left it. */
export interface Leased extends LeasedRow {
  /** Until when no other replica claims it; null: it is not claimed. */
  leaseUntil: Date | null;
}

/** An item that this process may work on as long as its lease lasts. */
export interface Claimed<Item> {
  /** As the claim has left it. */
  item: Item;
  lease: Lease;
}

/** The fence around claimed work: what a process may not do any more once another one may have claimed the row. */
export interface Lease {
  /** Unique to the claim. */
  readonly token: string;
  readonly until: Date;
  /**
   * Without a row: whether its time is over, so that another replica may be at work. With the row, which must be
   * locked: whether another claim, or the end of this one, is written in it; then time does not matter.
   */
  isOver(locked?: LeasedRow): boolean;
  /**
   * Throws LeaseOver when it is over. Asked without a row just before the first byte of an order leaves, however long
   * tokens and connections took, and with the locked row where a result is saved.
   */
  check(locked?: LeasedRow): void;
}

/** PROVIDER_UNAVAILABLE to a caller: nothing has left, and the order is carried on by another claim. */
export class LeaseOver extends Refusal {
  constructor() {
    const message = 'the provider was not asked in time; it goes on by itself, send the same request again';
    super('unavailable', 'PROVIDER_UNAVAILABLE', message);
    this.name = 'LeaseOver';
  }
}

export interface LeaseTerms {
  token: string;
  until: Date;
  /** The database's, as `until` was reckoned by it. */
  clock: Clock;
}

export function createLease({ token, until, clock }: LeaseTerms): Lease {
  const isOver = (locked?: LeasedRow) => (locked ? locked.leaseToken !== token : clock() >= until);
  return {
    token,
    until,
    isOver,
    check(locked) {
      if (isOver(locked)) throw new LeaseOver();
    },
  };
}

/** What a claim has answered, with its lease; throws for a row that no claim has taken. */
export function claimedOf<Item extends Leased>(item: Item, clock: Clock): Claimed<Item> {
  const { leaseToken: token, leaseUntil: until } = item;
  if (token === null || until === null) throw new Error('work was begun without a claim');
  return { item, lease: createLease({ token, until, clock }) };
}
