import { compareAnswers, findDoneThoughRefused } from './answers.ts';
import { brokenRules, type Evidence } from './evidence.ts';
import type { Finding } from './finding.ts';
import { countOrdered } from './ordered.ts';

const name = "concat(merchant_id, ' ', environment, ' ', external_id)";

const charges = {
  'two charges of one externalId': `
    SELECT ${name} AS what FROM charges WHERE status NOT IN ('DECLINED', 'EXPIRED', 'CANCELLED')
    GROUP BY merchant_id, environment, external_id HAVING count(*) > 1`,
};

const withdrawals = {
  'two withdrawals of one externalId': `
    SELECT ${name} AS what FROM withdrawals
    WHERE external_id IS NOT NULL AND status NOT IN ('REFUSED', 'ABANDONED')
    GROUP BY merchant_id, environment, external_id HAVING count(*) > 1`,
};

/**
 * Invariant 5. Checks that one externalId has one charge, and that one Idempotency-Key has one effect and one
 * response.
 */
export async function checkOnce({ databases, calls }: Evidence): Promise<Finding[]> {
  const twins = [
    ...(await brokenRules(databases.charges, 5, charges)),
    ...(await brokenRules(databases.withdrawals, 5, withdrawals)),
  ];
  return [
    ...twins.map((finding): Finding => ({ ...finding, kind: 'doubled' })),
    ...compareAnswers(calls),
    ...(await findDoneThoughRefused(databases, calls)),
    ...(await countOrdered({ databases, calls })),
  ];
}
