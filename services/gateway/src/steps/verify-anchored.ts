import type { AuditVerificationView, ChainVerification } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import { Refusal } from '@plataforma/kernel';
import type { FollowedChain } from '../domain/followed-chain.ts';
import { findAnchor } from '../store/audit-anchors.ts';
import { type AskChains, type From, rowsACall } from './ask-chains.ts';
import { compareKept } from './compare-kept.ts';

export interface VerifyAnchored {
  database: Database;
  chains: AskChains;
}

/**
 * What a service says of its own chain, and whether all that others keep of it is still there: a chain that was written
 * anew with all its hashes vouches for itself, whichever rows are asked for.
 */
export async function verifyAnchored(
  { database, chains }: VerifyAnchored,
  of: FollowedChain,
  from: From,
): Promise<AuditVerificationView> {
  const said = await followAll(chains, of, from);
  const { epoch } = await findAnchor(database, of);
  const compared = await compareKept(chains, of, epoch);
  if (!compared) throw unanswered('too few of the services that keep its hashes answer');
  const { keptBy, brokenSequence } = compared;
  if (brokenSequence === null) return { ...said, keptBy };
  const firstBrokenSequence = Math.min(brokenSequence, said.firstBrokenSequence ?? brokenSequence);
  return { ...said, isIntact: false, firstBrokenSequence, keptBy };
}

async function followAll(
  chains: AskChains,
  of: FollowedChain,
  { after, limit }: From,
): Promise<ChainVerification> {
  let rows = 0;
  let from = after;
  for (;;) {
    const said = await chains.verify(of, { after: from, limit: Math.min(limit - rows, rowsACall(of)) });
    if (!said) throw unanswered(`${of.service} does not answer`);
    rows += said.rows;
    if (!said.isIntact || said.next === null || rows >= limit) return { ...said, rows };
    from = said.next;
  }
}

function unanswered(what: string): Refusal {
  return new Refusal('unavailable', 'SERVICE_UNAVAILABLE', `${what}; try again`);
}
