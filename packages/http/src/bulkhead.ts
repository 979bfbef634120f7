import { Refusal, type Tenant } from '@plataforma/kernel';
import type { Identity } from './identity.ts';

interface Slots {
  total: number;
  /** So that no holder takes all the slots there are. */
  perHolder: number;
}

/** Answers what gives the slot back, once; undefined when there is none for this holder. */
type TakeSlot = (holder: string) => (() => void) | undefined;

/** Counts who holds how many slots. */
export function createSlots({ total, perHolder }: Slots): TakeSlot {
  const held = new Map<string, number>();
  let taken = 0;

  return (holder) => {
    const own = held.get(holder) ?? 0;
    if (taken >= total || own >= perHolder) return undefined;
    taken += 1;
    held.set(holder, own + 1);
    return () => {
      taken -= 1;
      const left = (held.get(holder) ?? 1) - 1;
      if (left > 0) held.set(holder, left);
      else held.delete(holder);
    };
  };
}

interface BulkheadOptions extends Slots {
  /** What a caller reads for whom there is no slot. */
  full: string;
}

/** Does work in a slot of its holder's. */
export type Bulkhead = <T>(holder: string, work: () => Promise<T>) => Promise<T>;

/**
 * Lets so much work be done at once, and refuses the rest at once with SERVICE_UNAVAILABLE: work that waits, for a slow
 * bank or for a caller who does not read, holds memory here.
 */
export function createBulkhead({ full, ...slots }: BulkheadOptions): Bulkhead {
  const takeSlot = createSlots(slots);
  return async (holder, work) => {
    const giveBack = takeSlot(holder);
    if (!giveBack) throw new Refusal('unavailable', 'SERVICE_UNAVAILABLE', full);
    try {
      return await work();
    } finally {
      giveBack();
    }
  };
}

/** The same, by who calls. */
export type CallerBulkhead = <T>(who: Identity, work: () => Promise<T>) => Promise<T>;

/** No caller has all the slots, nor have all sandboxes together more than theirs: the others are production's. */
export function createCallerBulkhead({
  sandboxes,
  ...slots
}: BulkheadOptions & { sandboxes: number }): CallerBulkhead {
  const all = createBulkhead(slots);
  const ofMerchants = byEnvironment(all, createBulkhead({ ...slots, total: sandboxes }));
  return (who, work) => {
    if (who.kind === 'merchant') return ofMerchants(who, work);
    return all(who.kind === 'operator' ? who.operatorId : who.kind, work);
  };
}

/**
 * Of merchants: the work of a sandbox takes one of its slots beside one of all. Every account has a sandbox, so that
 * what strangers try there would otherwise cost production its slots.
 */
export function byEnvironment(all: Bulkhead, sandboxes: Bulkhead) {
  return <T>({ merchantId, environment }: Tenant, work: () => Promise<T>): Promise<T> => {
    const holder = `${merchantId} ${environment}`;
    return environment === 'sandbox' ? sandboxes(holder, () => all(holder, work)) : all(holder, work);
  };
}
