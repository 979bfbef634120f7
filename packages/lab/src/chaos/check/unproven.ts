import type { Evidence } from './evidence.ts';
import { type Finding, violation } from './finding.ts';

/** 3. A payout waits while the books do not account for its money. */
export async function checkUnproven({ leftUnproven = new Set() }: Evidence): Promise<Finding[]> {
  return [...leftUnproven].map((id) =>
    violation(3, `withdrawal ${id} was paid out while its wallet had more than its entries say`),
  );
}
