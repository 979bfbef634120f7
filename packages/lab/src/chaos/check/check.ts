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
import type { Finding } from './finding.ts';
import { checkLastWords } from './last-words.ts';
import { checkLetters } from './letters.ts';
import { checkLinks } from './links.ts';
import { checkMerchants } from './merchants.ts';
import { checkOnce } from './once.ts';
import { checkPayments } from './payments.ts';
import { checkRefunds } from './refunds.ts';
import { checkRefusals } from './refusals.ts';
import { checkStates } from './states.ts';
import { checkTenants } from './tenants.ts';
import { checkTold } from './told.ts';
import { checkUnproven } from './unproven.ts';
import { checkWithdrawals } from './withdrawals.ts';

export type { Finding };

/** In the order of the invariants. */
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
  checkTold,
  checkDeliveries,
  checkEvents,
  checkMerchants,
  checkClocks,
  checkAcknowledged,
  checkLastWords,
  checkRefusals,
  checkTenants,
  checkLetters,
];

/** All that is wrong with what a run has left behind; nothing, whatever was broken meanwhile. */
export async function check(evidence: Evidence): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const one of checks) findings.push(...(await one(evidence)));
  return findings;
}
