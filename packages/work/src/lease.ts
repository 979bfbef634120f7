import { type Clock, Refusal } from '@plataforma/kernel';

/** The token of a row, which identifies the claim that holds the row. */
export interface LeasedRow {
  /**
   * The token of the last claim. Null before the first claim, and after the result of a claim was recorded or
   * the claim was released.
   */
  leaseToken: string | null;
}

/** A row with the token and the end of its last claim. */
export interface Leased extends LeasedRow {
  /** The time until which no other replica claims the row. Null when the row is not claimed. */
  leaseUntil: Date | null;
}

/** An item on which this process may work until the end of the lease. */
export interface Claimed<Item> {
  item: Item;
  lease: Lease;
}

/** The right to work on a claimed row until a time. After that time another process may claim the row. */
export interface Lease {
  /** The token, which is different for each claim. */
  readonly token: string;
  readonly until: Date;
  /** Throws LeaseOver if `until` is reached. Call it right before the first byte of an order is sent. */
  check(): void;
  /**
   * Returns true when the locked row has no token or the token of another claim. An expired lease is not
   * superseded before the row is claimed again.
   */
  isSuperseded(locked: LeasedRow): boolean;
}

/**
 * Thrown when a lease ended before the work under the lease was done. Another claim resumes the work. A
 * caller that waits gets PROVIDER_UNAVAILABLE.
 */
export class LeaseOver extends Refusal {
  constructor() {
    const message =
      'the order did not reach the provider in time and is retried; send the same request again';
    super('unavailable', 'PROVIDER_UNAVAILABLE', message);
    this.name = 'LeaseOver';
  }
}

export interface LeaseOptions {
  token: string;
  until: Date;
  /** The database's clock, from which `until` was computed. */
  clock: Clock;
}

export function createLease({ token, until, clock }: LeaseOptions): Lease {
  return {
    token,
    until,
    check() {
      if (clock() >= until) throw new LeaseOver();
    },
    isSuperseded: (locked) => locked.leaseToken !== token,
  };
}

/** Returns a claimed row with its lease. Throws for a row that is not claimed. */
export function claimedOf<Item extends Leased>(item: Item, clock: Clock): Claimed<Item> {
  const { leaseToken: token, leaseUntil: until } = item;
  if (token === null || until === null) throw new Error('work began without a lease');
  return { item, lease: createLease({ token, until, clock }) };
}
