import { checkAcknowledged } from './acknowledged.ts';
import { checkBooks } from './books.ts';
import { checkCards } from './cards.ts';
import { checkClocks } from './clocks.ts';
import { checkContested } from './contested.ts';
import { checkCredits } from './credits.ts';
import { checkDeliveries } from './deliveries.ts';
import { checkDisputes } from './disputes.ts';
import { checkEvents } from './events.ts';
import type { Evidence } from './evidence.ts';
import { type Finding, violation } from './finding.ts';
import { checkInsiders, withoutForged } from './insiders.ts';
import { checkLastWords } from './last-words.ts';
import { checkLinks } from './links.ts';
import { checkMerchants } from './merchants.ts';
import { checkOnce } from './once.ts';
import { checkPayments } from './payments.ts';
import { checkRefunds } from './refunds.ts';
import { checkRefusals } from './refusals.ts';
import { checkStates } from './states.ts';
import { checkTenants } from './tenants.ts';
import { checkWebhookEvents } from './webhook-events.ts';
import { checkWithdrawals } from './withdrawals.ts';

export type { Finding };

/** The checks, in the order of the numbered invariants that they check. */
const checks: readonly ((evidence: Evidence) => Promise<Finding[]>)[] = [
  checkBooks,
  checkPayments,
  checkCards,
  checkCredits,
  checkWithdrawals,
  checkUnproven,
  checkRefunds,
  checkDisputes,
  checkContested,
  checkOnce,
  checkLinks,
  checkStates,
  checkWebhookEvents,
  checkDeliveries,
  checkEvents,
  checkMerchants,
  checkClocks,
  checkAcknowledged,
  checkLastWords,
  checkRefusals,
  checkTenants,
  checkLetters,
  checkInsiders,
];

/** Returns all violations after a run. A correct platform has none, regardless of the run's faults. */
export async function check(evidence: Evidence): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const one of checks) findings.push(...(await one(evidence)));
  return withoutForged(findings, evidence.insiders);
}

/** Invariant 10. Checks that the platform refuses callbacks whose address does not contain the secret. */
async function checkLetters({ letters = [] }: Evidence): Promise<Finding[]> {
  return letters.flatMap(({ path: expectedPath, answers }) =>
    answers
      .filter(({ path, status }) => path !== expectedPath && status !== null && status < 300)
      .map(({ path, status }) =>
        violation(10, `a callback with a wrong secret, to ${path}, was answered ${status}`),
      ),
  );
}

/**
 * Invariant 3. Checks that no payout was sent while its wallet contained more money than the ledger's entries
 * prove.
 */
async function checkUnproven({ leftUnproven = new Set() }: Evidence): Promise<Finding[]> {
  return [...leftUnproven].map((id) =>
    violation(3, `withdrawal ${id} was paid out while its wallet had more than its entries say`),
  );
}
