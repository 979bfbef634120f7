import { afterAll, expect } from '@jest/globals';
import type { WithdrawalView } from '@plataforma/contracts';
import { type Tenant, toDecimal } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { beforeFile } from '@plataforma/testing/world';
import { endsOf } from '../../support/ends-of.ts';
import type { World } from '../../support/world.ts';

export interface Followed extends WithdrawalView {
  tenant: Tenant;
  now(): Promise<WithdrawalView>;
  /** Resolves when the withdrawal has this status. Makes its payout due again and again until then. */
  becomes(status: string): Promise<WithdrawalView>;
  /** Makes the payout due again and again until the bank has received this number of requests about it. */
  awaitRequests(operation: 'order' | 'find', times: number): Promise<void>;
  announcedEnds(): Promise<string[]>;
}

/** Creates a Pix withdrawal that needs no approval. */
export async function follow(world: World, changes: Record<string, unknown> = {}): Promise<Followed> {
  const tenant = world.newMerchant();
  const created = await world.client.newWithdrawal(tenant, changes);
  return followed(world, tenant, created);
}

export function followed(world: World, tenant: Tenant, created: WithdrawalView): Followed {
  const { id } = created;
  const now = () => world.client.withdrawal(tenant, id);
  return {
    ...created,
    tenant,
    now,
    becomes: (status) =>
      eventually(async () => {
        const is = await now();
        if (is.status === status) return is;
        await checkSoon(world, id);
        throw new Error(`the withdrawal is ${is.status}`);
      }),
    awaitRequests: (operation, times) =>
      eventually(async () => {
        const count = world.bank.requestsFor(id, operation).length;
        if (count >= times) return;
        await checkSoon(world, id);
        throw new Error(`the provider was asked ${count} times`);
      }),
    announcedEnds: async () => (await endsOf(world, id)).map(({ type }) => type),
  };
}

const CHECK_SOON = `
  UPDATE withdrawals SET next_check_at = now()
  WHERE id = $1 AND next_check_at > now() + interval '50 ms' AND lease_token IS NULL`;

/**
 * Makes the next check due. Unlike a callback, it does nothing to a leased withdrawal or to one that is due
 * within 50 ms.
 */
async function checkSoon({ database }: World, id: string): Promise<void> {
  await database.query(CHECK_SOON, [id]);
}

interface Row {
  id: string;
  status: string;
  method: string;
  net_cents: number;
  pix_key: string;
  provider_tx_id: string | null;
  alarms: number;
  announced: string[];
}

const ALL = `
  SELECT w.id, status, method, net_cents, pix_key, w.provider_tx_id,
    (SELECT count(*)::int FROM payout_alarms a WHERE a.withdrawal_id = w.id) AS alarms,
    array(SELECT body::jsonb ->> 'type' FROM outbox
    WHERE body::jsonb ->> 'aggregateId' = w.id::text) AS announced
  FROM withdrawals w`;

/**
 * Compares each withdrawal with the bank's payouts and the published events. Returns the differences; tests
 * expect none.
 */
export async function disagreements({ database, bank }: World): Promise<string[]> {
  const rows = await database.query<Row>(ALL);
  const ids = new Set(rows.map(({ id }) => id.replaceAll('-', '')));
  const strange = bank.payouts.filter(({ id }) => !ids.has(id)).map(({ id }) => `${id} has no withdrawal`);
  return [...strange, ...rows.flatMap((row) => disagreementsOf(row, bank.payoutOf(row.id)))];
}

const ANNOUNCED: Record<string, string[]> = {
  COMPLETED: ['withdrawal.completed'],
  FAILED: ['withdrawal.failed'],
  REJECTED: ['withdrawal.rejected'],
  ABANDONED: ['withdrawal.abandoned'],
};

function disagreementsOf(row: Row, payout: ReturnType<World['bank']['payoutOf']>): string[] {
  const { id, status, method, announced, alarms } = row;
  const ends = announced.filter((type) => type !== 'withdrawal.processing');
  const isPaid = payout?.status === 'REALIZADO';
  const wrong = [
    ...(String(ends) === String(ANNOUNCED[status] ?? []) ? [] : [`announced ${announced}`]),
    ...(announced.length - ends.length > 1 ? ['announced twice as PROCESSING'] : []),
    ...(payout && payout.valor !== toDecimal(row.net_cents) ? [`paid ${payout.valor}`] : []),
    ...(payout && payout.payeeKey !== row.pix_key ? ['paid to another key'] : []),
    ...(payout && method === 'TED' ? ['a TED at the bank'] : []),
    ...(payout && !['PROCESSING', 'COMPLETED', 'FAILED'].includes(status) ? ['ordered'] : []),
    ...(status === 'COMPLETED' && method === 'PIX' && !isPaid && alarms === 0 ? ['not paid'] : []),
    ...(status === 'COMPLETED' && payout && row.provider_tx_id !== payout.endToEndId
      ? ['another payout']
      : []),
    ...(status === 'FAILED' && isPaid && alarms === 0 ? ['paid and given back'] : []),
  ];
  return wrong.map((what) => `${id} is ${status}: ${what}`);
}

/**
 * Returns the test environment of a test file. After the last test all withdrawals must match the bank's
 * payouts.
 */
export function agreeingWorld(start: () => Promise<World>): World {
  const world = beforeFile(start);
  afterAll(async () => {
    expect(await disagreements(world)).toEqual([]);
    await world.stop();
  });
  return world;
}
