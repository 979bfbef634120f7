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

/** An operator goes on with `next` rather than wait for longer. */
const FOLLOW_MS = 10_000;

/**
 * What a service says of its own chain, and whether all that others keep of it is still there: a chain that was written
 * anew with all its hashes vouches for itself, whichever rows are asked for. A break that one of both shows is answered
 * also where the other one cannot be had.
 */
export async function verifyAnchored(
  { database, chains }: VerifyAnchored,
  of: FollowedChain,
  from: From,
): Promise<AuditVerificationView> {
  const { epoch } = await findAnchor(database, of);
  const compared = await compareKept(chains, of, epoch);
  const said = await followAll(chains, of, from);
  const broken = [compared?.brokenSequence, said?.firstBrokenSequence].flatMap((sequence) => sequence ?? []);
  if (broken.length === 0 && !said) throw unanswered(`${of.service} does not answer`);
  if (broken.length === 0 && !compared)
    throw unanswered('too few of the services that keep its hashes answer');
  const place = from.after ?? null;
  return {
    ...(said ?? { rows: 0, last: place, next: place }),
    isIntact: broken.length === 0,
    firstBrokenSequence: broken.length > 0 ? Math.min(...broken) : null,
    keptBy: compared?.keptBy ?? [],
    anchored: compared?.anchored ?? null,
  };
}

/** As far as it is answered in time; null: nothing is. */
async function followAll(
  chains: AskChains,
  of: FollowedChain,
  { after, limit }: From,
): Promise<ChainVerification | null> {
  const end = performance.now() + FOLLOW_MS;
  let answered: ChainVerification | null = null;
  let rows = 0;
  let from = after;
  for (;;) {
    const said = await chains.verify(of, { after: from, limit: Math.min(limit - rows, rowsACall(of)) });
    if (!said) return answered;
    rows += said.rows;
    answered = { ...said, rows };
    if (!said.isIntact || said.next === null || rows >= limit || performance.now() > end) return answered;
    from = said.next;
  }
}

function unanswered(what: string): Refusal {
  return new Refusal('unavailable', 'SERVICE_UNAVAILABLE', `${what}; try again`);
}
