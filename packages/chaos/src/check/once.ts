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
    ...(await countWithdrawals({ databases, calls })),
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

const WITHOUT_NAME = `
  SELECT amount_cents AS amount, count(*) AS count FROM withdrawals
  WHERE external_id IS NULL AND status NOT IN ('REFUSED', 'ABANDONED') GROUP BY 1`;

/**
 * A withdrawal without an externalId can't be told from its twin but by how often it was ordered: once for each key, and
 * once for each call that has neither.
 */
async function countWithdrawals({
  databases,
  calls,
}: Pick<Evidence, 'databases' | 'calls'>): Promise<Finding[]> {
  const orders = calls.filter(
    ({ method, path, body }) => method === 'POST' && path === '/v1/withdrawals' && !body?.externalId,
  );
  const ordersOf = Map.groupBy(orders, ({ body }) => Number(body?.amount));
  const rows = await rowsOf<{ amount: number; count: number }>(databases.withdrawals, WITHOUT_NAME);
  return rows.flatMap(({ amount, count }) => {
    const own = ordersOf.get(amount) ?? [];
    const ordered = new Set(
      own.map(({ actor, idempotencyKey, number }) => `${actor} ${idempotencyKey ?? number}`),
    );
    if (count <= ordered.size) return [];
    return [doubled(5, `${count} withdrawals of ${amount} were made, and ${ordered.size} ordered`)];
  });
}
