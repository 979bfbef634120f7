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

/** A stop covers the order, and nothing has left. Callers get PROVIDER_UNAVAILABLE. */
export class OrderStopped extends Refusal {
  constructor(orderKind: StoppableOrder) {
    super('unavailable', 'PROVIDER_UNAVAILABLE', WORDS[orderKind]);
    this.name = 'OrderStopped';
  }
}

export interface Stops {
  /** Returns true while a stop covers the order, so that it may not leave. */
  isStopped(order: StopSubject): Promise<boolean>;
  /** Throws OrderStopped while a stop covers the order. */
  requireNotStopped(order: StopSubject): Promise<void>;
  /**
   * Returns the check before the first byte leaves. The lease comes last, because reading stops takes time.
   */
  gate(order: StopSubject, lease?: Gate): Gate;
}

/** Reads the service's own database each time, so that a committed stop works also without the broker. */
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

/** Returns the wait that a merchant sees for an order that could leave at `from`; null without a stop. */
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
