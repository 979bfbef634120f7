import { Refusal, type Tenant } from '@plataforma/kernel';
import type { Identity } from './identity.ts';
import { metrics } from './metrics.ts';
import { LEAVES, type Pool, type PoolName, pools } from './pools.ts';

interface Slots {
  total: number;
  perHolder: number;
  /**
   * After a holder takes a second or later slot, `leaves` slots must stay free for each slot of the holder.
   * Without this rule, a few holders could take all slots.
   */
  leaves?: number;
}

/**
 * Takes slots and returns the function that releases them, which must be called once. Returns undefined when
 * the holder gets no slot.
 */
type TakeSlot = (holder: string, count?: number, leaves?: number) => (() => void) | undefined;

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

/** The classes of callers; metrics use them as labels. */
export const callerClasses = ['production', 'sandbox', 'operators', 'others'] as const;
export type CallerClass = (typeof callerClasses)[number];

/** A caller without an account, identified by the network of its address. */
export interface AnonymousCaller {
  network: string;
}

/** The holder of a slot: an account in one environment, an operator, a network, or a platform service. */
export type Holder = Identity | Tenant | AnonymousCaller;

export function classOf(holder: Holder): CallerClass {
  if ('environment' in holder) return holder.environment;
  return 'kind' in holder && holder.kind === 'operator' ? 'operators' : 'others';
}

export function nameOf(holder: Holder): string {
  if ('environment' in holder) return `${holder.merchantId} ${holder.environment}`;
  if ('network' in holder) return holder.network;
  return holder.kind === 'operator' ? holder.operatorId : holder.kind;
}

interface SlotRequest {
  /** The number of slots that the work takes at once. The default is 1. */
  count?: number;
  /**
   * The network of the request. Slots are counted for each pair of holder and network, and a free slot goes
   * to waiting work of the pair with the fewest slots.
   */
  network?: string | number | undefined;
}

/**
 * Takes slots for the holder, runs the work, and releases the slots. Throws SERVICE_UNAVAILABLE if the holder
 * gets no slots.
 */
export type Bulkhead = <T>(holder: Holder, work: () => Promise<T>, options?: SlotRequest) => Promise<T>;

interface SharedSlots extends Slots {
  /**
   * The value of `leaves` for callers without an account. Each network of such callers is a separate holder,
   * and one caller may use many networks.
   */
  networksLeave?: number;
}

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
 * Creates a bulkhead, which limits the work that runs at the same time, because work for a slow bank or a
 * slow reader holds memory. The bulkhead refuses further work with SERVICE_UNAVAILABLE, at once or after the
 * wait of the pool. All sandboxes together get at most half of a pool, so that production always has slots.
 */
export function createBulkhead(pool: PoolName): Bulkhead {
  const { total, perHolder, full, leaves = LEAVES, waitMs = 0, waiting = EIGHT_EACH }: Pool = pools[pool];
  const takeSlot = createSharedSlots({ total, perHolder, leaves, networksLeave: leaves });
  const takeWait = createSharedSlots(waitMs > 0 ? { ...waiting, networksLeave: leaves } : NONE);
  /** The attempts that wait for a slot, each with the network of its request. */
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

  /**
   * Waits for free slots and returns the function that releases them. Returns undefined when no slot becomes
   * free in time, or when too much work of the holder is waiting.
   */
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
      // The attempt is removed right away, so that it cannot take a slot after its wait has ended.
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
