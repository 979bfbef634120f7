import type { StoppableOrder, StopSubject, WaitingFor } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import type { Gate } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import { isStopped, type OrderStop } from '@plataforma/tables';

const WORDS: Record<StoppableOrder, string> = {
  payouts: 'payouts are stopped for now; this one resumes when the stop ends',
  refunds: 'refunds are stopped for now; this one resumes when the stop ends',
  returns: 'returns are stopped for now; this one resumes when the stop ends',
  charges: 'new charges are stopped for now; send the same request again later',
};

/**
 * The error of an order that was not sent because an operator has stopped orders of this kind. Callers get
 * PROVIDER_UNAVAILABLE.
 */
export class OrderStopped extends Refusal {
  constructor(orderKind: StoppableOrder) {
    super('unavailable', 'PROVIDER_UNAVAILABLE', WORDS[orderKind]);
    this.name = 'OrderStopped';
  }
}

export interface Stops {
  /** Returns true while an operator has stopped orders of this kind. The order must then not be sent. */
  isStopped(order: StopSubject): Promise<boolean>;
  /** Throws OrderStopped while an operator has stopped orders of this kind. */
  requireNotStopped(order: StopSubject): Promise<void>;
  /**
   * Returns the check that runs before the first byte of the order is sent. It reads the stops before it
   * checks the lease, because the lease may end during that read.
   */
  gate(order: StopSubject, lease?: Gate): Gate;
}

/**
 * Creates the checks of stops. They read the service's own database each time, so that a stop works even when
 * the broker is unavailable.
 */
export function createStops(database: Database): Stops {
  async function requireNotStopped(order: StopSubject): Promise<void> {
    if (await isStopped(database, order)) throw new OrderStopped(order.what);
  }
  return {
    isStopped: (order) => isStopped(database, order),
    requireNotStopped,
    gate: (order, lease) => ({
      async check() {
        await requireNotStopped(order);
        await lease?.check();
      },
    }),
  };
}

/**
 * Returns the time since which a stop delays the order, or null when no stop applies. The time is never
 * before `from`, because the order could not be sent earlier.
 */
export function waitingFor(stops: readonly OrderStop[], order: StopSubject, from: Date): WaitingFor | null {
  const begun = stops.filter((stop) => covers(stop, order)).map(({ stoppedAt }) => stoppedAt.getTime());
  if (begun.length === 0) return null;
  return { what: 'stop', since: new Date(Math.max(Math.min(...begun), from.getTime())).toISOString() };
}

function covers(stop: OrderStop, { what, provider, merchantId }: StopSubject): boolean {
  return (
    stop.what === what &&
    (stop.provider === null || stop.provider === provider) &&
    (stop.merchantId === null || stop.merchantId === merchantId)
  );
}
