import type { AuditVerificationView } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import { Refusal } from '@plataforma/kernel';
import type { AskChains, From } from '../chains/ask-chains.ts';
import { compareAnchors } from '../chains/compare-anchors.ts';
import { followChain } from '../chains/follow-chain.ts';
import type { FollowedChain } from '../domain/followed-chain.ts';
import { findAnchor } from '../store/audit-anchors.ts';

export interface VerifyAnchored {
  database: Database;
  chains: AskChains;
  /** The longest time of one call. An operator continues the verification with another call and `next`. */
  verifyWithinMs: number;
}

/**
 * Asks a service to verify its own chain, and compares the chain with the hashes in other services. Only the
 * comparison detects a chain that was rewritten with all its hashes.
 */
export async function verifyAnchored(
  { database, chains, verifyWithinMs }: VerifyAnchored,
  of: FollowedChain,
  from: From,
): Promise<AuditVerificationView> {
  const until = performance.now() + verifyWithinMs;
  const { epoch } = await findAnchor(database, of);
  const compared = await compareAnchors(chains, of, epoch);
  const said = await followChain(chains, of, { ...from, until });
  const broken = [compared?.brokenSequence, said?.firstBrokenSequence].flatMap((sequence) => sequence ?? []);
  if (broken.length === 0 && !said) throw unanswered(`${of.service} does not answer`);
  if (broken.length === 0 && !compared)
    throw unanswered('too few of the services that store its hashes answer');
  const cursor = from.after ?? null;
  return {
    ...(said ?? { rows: 0, last: cursor, next: cursor }),
    isIntact: broken.length === 0,
    firstBrokenSequence: broken.length > 0 ? Math.min(...broken) : null,
    keptBy: compared?.keptBy ?? [],
    anchored: compared?.anchored ?? null,
  };
}

function unanswered(problem: string): Refusal {
  return new Refusal('unavailable', 'SERVICE_UNAVAILABLE', `${problem}; try again`);
}
