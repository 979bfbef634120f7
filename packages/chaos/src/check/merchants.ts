import { type Evidence, rowsOf } from './evidence.ts';
import { type Finding, lost, violation } from './finding.ts';

type Standing = { id: string; version: number; status: string };

const STANDING = 'SELECT id, version, status FROM organizations';
const COPIES = `SELECT id, version, snapshot ->> 'status' AS status FROM merchants`;

/** 8. What each service knows of a merchant is how that merchant stands. */
export async function checkMerchants({ databases }: Evidence): Promise<Finding[]> {
  const merchants = await rowsOf<Standing>(databases.gateway, STANDING);
  const findings: Finding[] = [];
  for (const service of ['charges', 'withdrawals'] as const) {
    const rows = await rowsOf<Standing>(databases[service], COPIES);
    const copies = new Map(rows.map((row) => [row.id, row]));
    for (const { id, version, status } of merchants) {
      const copy = copies.get(id);
      const what = `merchant ${id} is ${status} in version ${version}, and ${service} `;
      if (!copy) findings.push(lost(8, `${what} was never told`));
      else if (copy.version !== version || copy.status !== status)
        findings.push(violation(8, `${what} believes in ${copy.status} and version ${copy.version}`));
    }
  }
  return findings;
}
