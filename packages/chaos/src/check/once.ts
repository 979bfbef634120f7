import { isDeepStrictEqual } from 'node:util';
import type { Call } from '../history.ts';
import { acknowledged, nameOfCall } from './calls.ts';
import { brokenRules, type Evidence, rowsOf } from './evidence.ts';
import { doubled, type Finding, violation } from './finding.ts';

const name = "concat(merchant_id, ' ', environment, ' ', external_id)";

const charges = {
  'two charges of one externalId': `
    SELECT ${name} AS what FROM charges WHERE status <> 'DECLINED'
    GROUP BY merchant_id, environment, external_id HAVING count(*) > 1`,
};

const withdrawals = {
  'two withdrawals of one externalId': `
    SELECT ${name} AS what FROM withdrawals
    WHERE external_id IS NOT NULL AND status NOT IN ('REFUSED', 'ABANDONED')
    GROUP BY merchant_id, environment, external_id HAVING count(*) > 1`,
};

/** 5. One externalId, one charge; one Idempotency-Key, one effect and one answer. */
export async function checkOnce({ databases, calls }: Evidence): Promise<Finding[]> {
  const twins = [
    ...(await brokenRules(databases.charges, 5, charges)),
    ...(await brokenRules(databases.withdrawals, 5, withdrawals)),
  ];
  return [
    ...twins.map((finding): Finding => ({ ...finding, kind: 'doubled' })),
    ...compareAnswers(calls),
    ...(await countNameless({ databases, calls })),
  ];
}

/** What is sent again under its key is answered the same; what has a name of its own, at least of the same thing. */
function compareAnswers(calls: readonly Call[]): Finding[] {
  const posted = acknowledged(calls).filter(({ call }) => call.method === 'POST' && isNamed(call));
  const ofIntent = Map.groupBy(posted, ({ call }) => `${call.actor} ${call.intent} ${call.path}`);
  return [...ofIntent.values()].flatMap(([first, ...others]) =>
    others.flatMap(({ call, data }) => {
      const what = `${nameOfCall(call)} was answered otherwise than ${first ? nameOfCall(first.call) : ''}`;
      if (data.id !== first?.data.id) return [doubled(5, `${what}: ${data.id} and ${first?.data.id}`)];
      if (call.idempotencyKey === null || call.idempotencyKey !== first?.call.idempotencyKey) return [];
      const isSame = call.status === first.call.status && isDeepStrictEqual(call.answer, first.call.answer);
      return isSame ? [] : [violation(5, what)];
    }),
  );
}

function isNamed({ idempotencyKey, body }: Call): boolean {
  return idempotencyKey !== null || typeof body?.externalId === 'string' || typeof body?.id === 'string';
}

/** What can be ordered without a name that would make it one: how often there is one of an amount, and who is asked for it. */
const nameless = [
  {
    path: '/v1/withdrawals',
    service: 'withdrawals',
    sql: `SELECT amount_cents AS amount, count(*) AS count FROM withdrawals
      WHERE external_id IS NULL AND status NOT IN ('REFUSED', 'ABANDONED') GROUP BY 1`,
  },
  { path: '/v1/admin/ledger/blocks', service: 'ledger', sql: changesOf('block') },
  { path: '/v1/admin/ledger/unblocks', service: 'ledger', sql: changesOf('unblock') },
  { path: '/v1/admin/ledger/adjustments', service: 'ledger', sql: changesOf('adjustment') },
] as const;

function changesOf(kind: string): string {
  return `SELECT abs(t.amount_cents) AS amount, count(*) AS count
    FROM journal_entries e JOIN wallet_transactions t ON t.entry_id = e.id WHERE kind = '${kind}' GROUP BY 1`;
}

/**
 * Such things can't be told from their twins but by how many were ordered: one for each id or key, and one for each call
 * that has neither.
 */
async function countNameless({
  databases,
  calls,
}: Pick<Evidence, 'databases' | 'calls'>): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { path, service, sql } of nameless) {
    const orders = calls.filter(
      (call) => call.method === 'POST' && call.path === path && !call.body?.externalId,
    );
    const ordersOf = Map.groupBy(orders, ({ body }) => Math.abs(Number(body?.amount)));
    const rows = await rowsOf<{ amount: number; count: number }>(databases[service], sql);
    for (const { amount, count } of rows) {
      const ordered = new Set((ordersOf.get(amount) ?? []).map(orderOf)).size;
      if (count > ordered)
        findings.push(
          doubled(5, `${path} was done ${count} times with ${amount}, and ordered ${ordered} times`),
        );
    }
  }
  return findings;
}

function orderOf({ actor, body, idempotencyKey, number }: Call): string {
  return `${actor} ${body?.id ?? idempotencyKey ?? number}`;
}
