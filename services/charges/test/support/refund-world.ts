import type { ChargeView } from '@plataforma/contracts';
import type { DomainEvent } from '@plataforma/events';
import type { Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import {
  type FakeLedger,
  type RefundDebit,
  refundRoute,
  shareWorld,
  startFakeLedger,
} from '@plataforma/testing/world';
import { type Answered, CALLBACK_SECRET, type Client } from './client.ts';
import { anonymousHeader, merchantHeader, newTenant, operatorHeader, ownKeys } from './identity.ts';
import type { Devolucao } from './pix-returns.ts';
import { newOperator, resetFakes, send, startWorld, type World, type WorldOptions } from './world.ts';

export { newOperator, type Operator } from './world.ts';

/** A paid charge with the operations of its merchant. */
export interface PaidCharge extends Omit<ChargeView, 'refunds'> {
  tenant: Tenant;
  /** The endToEndId of the payment. */
  pix: string;
  now(): Promise<ChargeView>;
  refund(body?: Record<string, unknown>, client?: Client): Promise<Answered>;
  /** Lists the returns of the payment at the provider, completed or requested. */
  returned(): Devolucao[];
  /** Lists the amounts that the ledger has debited for refunds of this charge. */
  debited(): number[];
  /** Returns the names of the events about this charge since it was paid. */
  announced(): Promise<string[]>;
  refunds(): Promise<RefundRow[]>;
  /** Removes the lease of this charge's refund, and makes the refund due. */
  handOver(): Promise<void>;
  becomes(status: string): Promise<void>;
}

interface RefundRow {
  id: string;
  status: string;
  failure: string | null;
  attempts: number;
  [column: string]: unknown;
}

interface Where {
  tenant?: Tenant;
  /** The client that sends all requests about this charge. Each client belongs to one replica. */
  at?: Client;
}

export interface RefundWorld extends World {
  ledger: FakeLedger<RefundDebit>;
  paidCharge(changes?: Record<string, unknown>, where?: Where): Promise<PaidCharge>;
  /** Disputes a charge as an operator. */
  dispute(chargeId: string, changes?: Record<string, unknown>, client?: Client): Promise<Answered>;
  /** Posts the provider's callback about these payments or infractions. */
  notify(notice: Record<string, unknown>, client?: Client): Promise<Answered>;
}

const REFUNDS = 'SELECT id, status, failure, attempts FROM refunds WHERE charge_id = $1 ORDER BY created_at';
const HAND_OVER = `
  UPDATE refunds SET next_check_at = now(), lease_token = NULL, lease_until = NULL WHERE charge_id = $1`;
const DISPUTE = { reason: 'FRAUD', description: 'the payer says it was not them' };

/**
 * Short leases and intervals, so that unfinished work is resumed soon and the provider's lists are read all
 * the time.
 */
const RESTLESS = {
  leaseMs: 600,
  refundLeaseMs: 5_000,
  refundRetryMs: 300,
  refundUnconfirmedMs: 1_200,
  readListsEveryMs: 100,
};

export const sharedRefundWorld = () =>
  shareWorld({
    name: 'refunds',
    start: () => startRefundWorld({ isShared: true }),
    async reset(world) {
      await resetFakes(world);
      world.ledger.reset();
    },
  });

/**
 * Starts a charges service with a fake ledger and a fake Pix provider that returns money. A refund's caller
 * does not wait until the provider ends the refund.
 */
export async function startRefundWorld(options: WorldOptions = {}): Promise<RefundWorld> {
  const { tuning, settings, fakes, ...infrastructure } = options;
  const ledger = await startFakeLedger({ route: refundRoute, keys: ownKeys });
  const world = await startWorld({
    tuning: { ...RESTLESS, ...tuning },
    settings: { LEDGER_URL: ledger.url, REFUND_WAIT_MS: '0', ...settings },
    fakes: { ledger, ...fakes },
    ...infrastructure,
  });
  const { client, provider, database } = world;

  return {
    ...world,
    ledger,
    dispute: (chargeId, changes, at = client) =>
      send(at, '/v1/admin/disputes', {
        headers: operatorHeader(newOperator()),
        body: { chargeId, ...DISPUTE, ...changes },
      }),
    notify: (notice, at = client) =>
      send(at, `/callbacks/pix/${CALLBACK_SECRET}`, {
        headers: anonymousHeader(),
        body: { pix: [], ...notice },
      }),

    async paidCharge(changes = {}, { tenant = newTenant(), at = client } = {}) {
      const charge = await at.newCharge(tenant, changes);
      const { id, txid } = charge;
      const pix = provider.book.pay(txid)[0]?.endToEndId ?? '';
      // The test repeats the callback until the service accepts it, as every provider does.
      await eventually(async () => {
        const { status, error } = await at.notify(txid);
        if (status !== 200) throw new Error(`the notice was answered ${status} ${error?.code}`);
      });
      return {
        ...charge,
        tenant,
        pix,
        now: () => at.charge(tenant, id),
        refund: (body = {}, via = at) =>
          send(via, `/v1/charges/${id}/refund`, { headers: merchantHeader(tenant), body }),
        returned: () => provider.book.returns.of(pix),
        debited: () => ledger.taken.flatMap((debit) => (debit.charge.id === id ? debit.amount : [])),
        announced: async () => namesOf(await world.eventsOf(id)).slice(1),
        refunds: () => database.query<RefundRow>(REFUNDS, [id]),
        async handOver() {
          await database.query(HAND_OVER, [id]);
        },
        becomes: (status) =>
          eventually(async () => {
            const [last] = (await database.query<RefundRow>(REFUNDS, [id])).reverse();
            if (last?.status !== status) throw new Error(`the refund is ${last?.status}`);
          }),
      };
    },
  };
}

export function namesOf(events: readonly DomainEvent[]): string[] {
  return events.map(({ type }) => type);
}
