import { type Clock, Refusal } from '@plataforma/kernel';

/** The column of a claimed row that identifies its claim. */
export interface LeasedRow {
  /** The last claim's token; null after its work was recorded. */
  leaseToken: string | null;
}

/** A row as a claim has left it. */
export interface Leased extends LeasedRow {
  /** The time until which no other replica claims the row; null when the row is not claimed. */
  leaseUntil: Date | null;
}

/** An item that this process may work on as long as its lease lasts. */
export interface Claimed<Item> {
  item: Item;
  lease: Lease;
}

/** The right to work on a claimed row until a time; after it another process may claim the row. */
export interface Lease {
  /** Unique to the claim. */
  readonly token: string;
  readonly until: Date;
  /** Throws LeaseOver once `until` is reached; called just before the first byte of an order leaves. */
  check(): void;
  /** Returns true when the locked row shows another claim or the end of this one, regardless of the time. */
  isSuperseded(locked: LeasedRow): boolean;
}

/** Nothing has left, and another claim resumes the order. Callers get PROVIDER_UNAVAILABLE. */
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
  /** The clock of the database, from which `until` was computed. */
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

/** Returns a claimed row with its lease; throws for a row that no claim has taken. */
export function claimedOf<Item extends Leased>(item: Item, clock: Clock): Claimed<Item> {
  const { leaseToken: token, leaseUntil: until } = item;
  if (token === null || until === null) throw new Error('work began without a lease');
  return { item, lease: createLease({ token, until, clock }) };
}
