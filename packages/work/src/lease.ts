import { type Clock, Refusal } from '@plataforma/kernel';

/** The column of a claimed row that identifies its claim. */
export interface LeasedRow {
  /** The last claim's token; null after its work was recorded. */
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

/** The right to work on a claimed row until a time; after it another process may claim the row. */
export interface Lease {
  /** Unique to the claim. */
  readonly token: string;
  readonly until: Date;
  /** Throws LeaseOver once `until` is reached; called just before the first byte of an order leaves. */
  check(): void;
  /** True when the locked row shows another claim, or the end of this one; time does not matter. */
  isSuperseded(locked: LeasedRow): boolean;
}

/** PROVIDER_UNAVAILABLE to a caller: nothing has left, and another claim resumes the order. */
export class LeaseOver extends Refusal {
  constructor() {
    const message = 'the provider was not asked in time; it goes on by itself, send the same request again';
    super('unavailable', 'PROVIDER_UNAVAILABLE', message);
    this.name = 'LeaseOver';
  }
}

export interface LeaseOptions {
  token: string;
  until: Date;
  /** The database's, as `until` was reckoned by it. */
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
  if (token === null || until === null) throw new Error('work was begun without a claim');
  return { item, lease: createLease({ token, until, clock }) };
}
