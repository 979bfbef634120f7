import { Refusal, type Tenant } from '@plataforma/kernel';
import type { Identity } from './identity.ts';
import { metrics } from './metrics.ts';
import { type PoolName, pools } from './pools.ts';

interface Slots {
  total: number;
  /** So that no holder takes all the slots there are. */
  perHolder: number;
  /** A holder never takes more slots than it leaves free, so that a few holders cannot take all of them. */
  leavesHalf?: boolean;
}

/** Answers what gives the slot back, once; undefined when there is none for this holder. */
type TakeSlot = (holder: string) => (() => void) | undefined;

/** Counts who holds how many slots. */
export function createSlots({ total, perHolder, leavesHalf = false }: Slots): TakeSlot {
  const held = new Map<string, number>();
  let taken = 0;

  return (holder) => {
    const own = held.get(holder) ?? 0;
    if (taken >= total || own >= perHolder) return undefined;
    if (leavesHalf && own >= total - taken) return undefined;
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

/** Classes of callers, as the metrics name them. */
export const callerClasses = ['production', 'sandbox', 'operators', 'others'] as const;
export type CallerClass = (typeof callerClasses)[number];

/** The caller that takes a slot: an account in one environment, an operator, anonymous callers or a service. */
export type Holder = Identity | Tenant;

export function classOf(holder: Holder): CallerClass {
  if ('environment' in holder) return holder.environment;
  return holder.kind === 'operator' ? 'operators' : 'others';
}

function nameOf(holder: Holder): string {
  if ('environment' in holder) return `${holder.merchantId} ${holder.environment}`;
  return holder.kind === 'operator' ? holder.operatorId : holder.kind;
}

/** Does work in a slot of its holder's. */
export type Bulkhead = <T>(holder: Holder, work: () => Promise<T>) => Promise<T>;

/**
 * Runs a limited number of works at once, and refuses the others at once with SERVICE_UNAVAILABLE: work that waits, for a
 * slow bank or for a caller who does not read, holds memory here. Every account has a sandbox, so all sandboxes together
 * get half of a pool, and production always has the other half.
 */
export function createBulkhead(pool: PoolName): Bulkhead {
  const { total, perHolder, full } = pools[pool];
  const takeSlot = createSlots({ total, perHolder });
  const takeSandboxSlot = createSlots({ total: Math.floor(total / 2), perHolder, leavesHalf: true });
  const refused = metrics.recorder(
    'plataforma_slots_refused_total',
    callerClasses.map((callers) => ({ pool, callers })),
  );

  return async (holder, work) => {
    const [name, callers] = [nameOf(holder), classOf(holder)];
    const releaseSandboxSlot = callers === 'sandbox' ? takeSandboxSlot(name) : () => undefined;
    const release = releaseSandboxSlot && takeSlot(name);
    try {
      if (release) return await work();
      refused({ pool, callers }, 1);
      throw new Refusal('unavailable', 'SERVICE_UNAVAILABLE', full);
    } finally {
      release?.();
      releaseSandboxSlot?.();
    }
  };
}
