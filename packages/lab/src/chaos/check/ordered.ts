import type { ServiceName } from '@plataforma/testing';
import type { Call } from '../history.ts';
import { acknowledged, isDone } from './calls.ts';
import { type Databases, type Evidence, rowsOf } from './evidence.ts';
import { doubled, type Finding } from './finding.ts';

/**
 * A kind of object whose name is not unique, so that a duplicate shows only in the number of objects with
 * that name.
 */
interface Countable {
  what: string;
  service: ServiceName;
  /** SQL that counts the objects of each name, with the columns `name` and `count`. */
  sql: string;
  /**
   * Returns the name of the object that a call orders, or undefined if the call orders no object of this
   * kind.
   */
  nameOf(call: Call): string | undefined;
}

const isOf = (call: Call, method: string, path: string) => call.method === method && call.path === path;

const countables: readonly Countable[] = [
  {
    what: 'a withdrawal without externalId to',
    service: 'withdrawals',
    sql: `SELECT concat(coalesce(destination_id::text, pix_key), ' of ', amount_cents) AS name,
      count(*) AS count
      FROM withdrawals WHERE external_id IS NULL AND status NOT IN ('REFUSED', 'ABANDONED') GROUP BY 1`,
    nameOf(call) {
      if (!isOf(call, 'POST', '/v1/withdrawals') || call.body?.externalId) return undefined;
      return `${call.body?.destinationId ?? call.body?.pixKey} of ${call.body?.amount}`;
    },
  },
  ...(['block', 'unblock', 'adjustment'] as const).map(changeOf),
  {
    what: 'a webhook for',
    service: 'webhooks',
    sql: 'SELECT url AS name, count(*) AS count FROM configurations GROUP BY 1 HAVING count(*) > 1',
    nameOf({ path, body }) {
      return path.startsWith('/v1/webhook-config') && typeof body?.url === 'string' ? body.url : undefined;
    },
  },
  {
    what: 'a test of the webhook',
    service: 'webhooks',
    sql: `SELECT resource_id AS name, count(*) AS count FROM events WHERE type = 'webhook.test' GROUP BY 1`,
    nameOf: ({ path }) => /^\/v1\/webhook-config\/([^/]+)\/test$/.exec(path)?.[1],
  },
  {
    what: 'a destination with the key',
    service: 'withdrawals',
    sql: `SELECT pix_key AS name, count(*) AS count FROM destinations
      WHERE pix_key IS NOT NULL GROUP BY 1 HAVING count(*) > 1`,
    nameOf: (call) => (isOf(call, 'POST', '/v1/destinations') ? String(call.body?.pixKey) : undefined),
  },
];

function changeOf(kind: 'block' | 'unblock' | 'adjustment'): Countable {
  return {
    what: `${kind} of`,
    service: 'ledger',
    sql: `SELECT concat(e.merchant_id, ' ', e.environment, ' ', abs(t.amount_cents)) AS name,
      count(*) AS count
      FROM journal_entries e JOIN wallet_transactions t ON t.entry_id = e.id WHERE kind = '${kind}'
      GROUP BY 1`,
    nameOf(call) {
      if (!isOf(call, 'POST', `/v1/admin/ledger/${kind}s`)) return undefined;
      const { merchantId, environment, amount } = call.body ?? {};
      return `${merchantId} ${environment} ${Math.abs(Number(amount))}`;
    },
  };
}

type Orders = Pick<Evidence, 'databases' | 'calls'>;

/**
 * Checks that no more objects exist than were ordered. Calls with the same id or Idempotency-Key are one
 * order. Every call without an id or key is an order of its own.
 */
export async function countOrdered({ databases, calls }: Orders): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { what, service, sql, nameOf } of countables) {
    const ordersOf = Map.groupBy(calls, nameOf);
    const rows = await rowsOf<{ name: string; count: number }>(databases[service], sql);
    for (const { name, count } of rows)
      findings.push(...compare(count, ordersOf.get(name) ?? [], `${what} ${name}`));
  }
  return [...findings, ...(await countKeys({ databases, calls }))];
}

function compare(count: number, calls: readonly Call[], what: string): Finding[] {
  const ordered = new Set(calls.filter(mayBeDone).map(orderOf)).size;
  return count > ordered ? [doubled(5, `${what}: there are ${count}, and ordered were ${ordered}`)] : [];
}

/**
 * Returns whether a call may have had its effect. A conflict or a timeout counts, because an earlier request
 * with the same key may still be in progress.
 */
function mayBeDone(call: Call): boolean {
  const { status } = call;
  return isDone(call) || status === null || status >= 500 || status === 408 || status === 409;
}

function orderOf({ actor, body, idempotencyKey, number }: Call): string {
  return `${actor} ${body?.id ?? idempotencyKey ?? number}`;
}

const KEYS = 'SELECT id, organization_id AS owner FROM api_keys';

/** Checks that a merchant has no more API keys than it has created or rotated. */
async function countKeys({ databases, calls }: Orders): Promise<Finding[]> {
  const ownerOf = await readOwners(databases);
  const counts = Map.groupBy(ownerOf, ([, owner]) => owner);
  const orders = calls.filter(
    ({ method, path }) => method === 'POST' && /^\/v1\/api-keys(?:\/[^/]+\/rotate)?$/.test(path),
  );
  const owners = new Map(
    acknowledged(orders).flatMap(({ call, data }) => {
      const owner = ownerOf.get(String(data.id));
      return owner ? [[call.actor, owner] as const] : [];
    }),
  );
  return [...owners].flatMap(([actor, owner]) => {
    const own = orders.filter((call) => call.actor === actor);
    return compare(counts.get(owner)?.length ?? 0, own, `a key of ${owner}`);
  });
}

async function readOwners({ gateway }: Databases): Promise<Map<string, string>> {
  const rows = await rowsOf<{ id: string; owner: string }>(gateway, KEYS);
  return new Map(rows.map(({ id, owner }) => [id, owner]));
}
