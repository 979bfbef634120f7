import { Refusal, type Tenant } from '@plataforma/kernel';
import type { Identity } from './identity.ts';
import { metrics } from './metrics.ts';
import { LEAVES, type Pool, type PoolName, pools } from './pools.ts';

interface Slots {
  total: number;
  /** So that no holder takes all the slots there are. */
  perHolder: number;
  /** A holder leaves so many times what it takes, or takes one slot, so that a few holders cannot take all of them. */
  leaves?: number;
}

/** Answers what gives the slots back, once; undefined when there are none for this holder. */
type TakeSlot = (holder: string, count?: number, leaves?: number) => (() => void) | undefined;

/** Counts who holds how many slots. */
export function createSlots({ total, perHolder, leaves: usual = 0 }: Slots): TakeSlot {
  const takenByHolder = new Map<string, number>();
  let taken = 0;

  return (holder, count = 1, leaves = usual) => {
    const own = takenByHolder.get(holder) ?? 0;
    if (taken + count > total || own + count > perHolder) return undefined;
    if (own > 0 && (own + count) * leaves > total - taken - count) return undefined;
    taken += count;
    takenByHolder.set(holder, own + count);
    return () => {
      taken -= count;
      const left = (takenByHolder.get(holder) ?? count) - count;
      if (left > 0) takenByHolder.set(holder, left);
      else takenByHolder.delete(holder);
    };
  };
}

/** Classes of callers, as the metrics name them. */
export const callerClasses = ['production', 'sandbox', 'operators', 'others'] as const;
export type CallerClass = (typeof callerClasses)[number];

/** A caller without an account, by its network (`networkOf`). */
export interface AnonymousCaller {
  network: string;
}

/** The caller that takes a slot: an account in one environment, an operator, a network or a service. */
export type Holder = Identity | Tenant | AnonymousCaller;

export function classOf(holder: Holder): CallerClass {
  if ('environment' in holder) return holder.environment;
  return 'kind' in holder && holder.kind === 'operator' ? 'operators' : 'others';
}

function nameOf(holder: Holder): string {
  if ('environment' in holder) return `${holder.merchantId} ${holder.environment}`;
  if ('network' in holder) return holder.network;
  return holder.kind === 'operator' ? holder.operatorId : holder.kind;
}

interface SlotRequest {
  /** How many slots the work takes at once. */
  count?: number;
  /** Works of a holder that wait take turns by these: one of a network with fewer slots begins first. */
  network?: string | number | undefined;
}

/** Does work in a slot of its holder's. */
export type Bulkhead = <T>(holder: Holder, work: () => Promise<T>, options?: SlotRequest) => Promise<T>;

interface SharedSlots extends Slots {
  /** The same as `leaves` for networks, of which one anonymous caller may have many. */
  networksLeave?: number;
}

/** Gives all sandboxes together half of the slots. */
function createSharedSlots({ networksLeave = 0, ...slots }: SharedSlots) {
  const takeSlot = createSlots({ ...slots, leaves: 0 });
  const takeSandboxSlot = createSlots({ ...slots, total: Math.floor(slots.total / 2) });

  return (name: string, callers: CallerClass, count = 1): (() => void) | undefined => {
    const releaseSandboxSlot = callers === 'sandbox' ? takeSandboxSlot(name, count) : () => undefined;
    const leaves = callers === 'others' ? networksLeave : 0;
    const release = releaseSandboxSlot && takeSlot(name, count, leaves);
    if (!release) {
      releaseSandboxSlot?.();
      return undefined;
    }
    return () => {
      release();
      releaseSandboxSlot();
    };
  };
}

interface PoolRequest {
  name: string;
  callers: CallerClass;
  slots: number;
  network: string;
}

const EIGHT_EACH = { total: Number.POSITIVE_INFINITY, perHolder: 8 };
const NONE = { total: 0, perHolder: 0 };

/**
 * Runs a limited number of works at once. Refuses the others with SERVICE_UNAVAILABLE, at once or after the pool's wait,
 * because work that runs for a slow bank or for a slow reader holds memory here. Every account has a sandbox, so all
 * sandboxes together get half of a pool, and production always has the other half.
 */
export function createBulkhead(pool: PoolName): Bulkhead {
  const { total, perHolder, full, leaves = LEAVES, waitMs = 0, waiting = EIGHT_EACH }: Pool = pools[pool];
  const takeSlot = createSharedSlots({ total, perHolder, leaves, networksLeave: leaves });
  const takeWait = createSharedSlots(waitMs > 0 ? { ...waiting, networksLeave: leaves } : NONE);
  /** The works that wait, each with its network, and the slots of each network. */
  const attempts = new Map<() => void, string>();
  const takenByNetwork = new Map<string, number>();
  const count = (network: string, by: number) => {
    const slots = (takenByNetwork.get(network) ?? 0) + by;
    if (slots > 0) takenByNetwork.set(network, slots);
    else takenByNetwork.delete(network);
  };
  const attemptsInOrder = () =>
    [...Map.groupBy(attempts, ([, network]) => takenByNetwork.get(network) ?? 0)]
      .sort(([fewer], [more]) => fewer - more)
      .flatMap(([, waiting]) => waiting.map(([attempt]) => attempt));
  const refused = metrics.recorder(
    'plataforma_slots_refused_total',
    callerClasses.map((callers) => ({ pool, callers })),
  );

  function take({ name, callers, slots, network }: PoolRequest): (() => void) | undefined {
    const release = takeSlot(name, callers, slots);
    if (!release) return undefined;
    count(network, slots);
    return () => {
      release();
      count(network, -slots);
      for (const attempt of attemptsInOrder()) attempt();
    };
  }

  /** Answers undefined where no slot was free in time, or too many works of the holder wait. */
  async function takeInTime(request: PoolRequest): Promise<(() => void) | undefined> {
    const endWait = takeWait(request.name, request.callers);
    if (!endWait) return undefined;
    const { promise, resolve } = Promise.withResolvers<(() => void) | undefined>();
    const attempt = () => {
      const release = take(request);
      if (!release) return;
      attempts.delete(attempt);
      resolve(release);
    };
    attempts.set(attempt, request.network);
    const giveUp = () => {
      // At once, so that no slot is taken for a wait that is over.
      attempts.delete(attempt);
      resolve(undefined);
    };
    const timer = setTimeout(giveUp, waitMs).unref();
    return promise.finally(() => {
      clearTimeout(timer);
      endWait();
    });
  }

  return async (holder, work, { count: slots = 1, network = '' } = {}) => {
    const [name, callers] = [nameOf(holder), classOf(holder)];
    const request = { name, callers, slots, network: `${name} ${network}` };
    const release = take(request) ?? (await takeInTime(request));
    try {
      if (release) return await work();
      refused({ pool, callers }, 1);
      throw new Refusal('unavailable', 'SERVICE_UNAVAILABLE', full);
    } finally {
      release?.();
    }
  };
}
