import type { TimelineRecords } from '@plataforma/contracts';
import type { Queryable } from '@plataforma/data';
import { wordsOf } from '@plataforma/observe';
import { TIMELINE_LIMIT } from '../audit-timeline.ts';
import { PROPOSAL_COLUMNS, type ProposalRow } from './proposal.ts';

type Entry = TimelineRecords['entries'][number];

const ABOUT = `
  SELECT ${PROPOSAL_COLUMNS}, expires_at <= now() AS "isOver" FROM proposals
  WHERE subject_id = ANY ($1::uuid[]) OR merchant_id = ANY ($1::uuid[])
  ORDER BY proposed_at DESC, id DESC LIMIT $2`;

/** Returns the proposals whose subject or merchant has one of these ids, as timeline entries. */
export async function proposalsAbout(db: Queryable, ids: readonly string[]): Promise<Entry[]> {
  const rows = await db.queryUnprepared<ProposalRow & { isOver: boolean }>(ABOUT, [ids, TIMELINE_LIMIT]);
  return rows.reverse().flatMap((row) => [creationOf(row), ...endOf(row)]);
}

function creationOf(proposal: ProposalRow): Entry {
  const { id: proposalId, action, subjectId, merchantId, environment, amount, reason } = proposal;
  const { proposedBy, proposedAt: at, expiresAt } = proposal;
  const about = { proposalId, action, subjectId, merchantId, environment, amount, reason: wordsOf(reason) };
  return {
    at,
    kind: 'proposal',
    what: `an operator proposed ${action}`,
    detail: { ...about, proposedBy, expiresAt },
  };
}

/** An approved proposal has one entry, because the transaction of its approval executes it. */
function endOf({ id: proposalId, action, ...proposal }: ProposalRow & { isOver: boolean }): Entry[] {
  const { status, decidedBy, decidedAt, expiresAt, isOver } = proposal;
  const entry = (at: Date, what: string, detail: Entry['detail'] = {}): Entry[] => [
    { at, kind: 'proposal', what, detail: { proposalId, ...detail } },
  ];
  if (decidedAt && status === 'EXECUTED')
    return entry(decidedAt, `another operator approved ${action}, which was executed`, { decidedBy });
  if (decidedAt)
    return entry(decidedAt, `an operator refused ${action}`, {
      ...{ decidedBy, decisionReason: wordsOf(proposal.decisionReason) },
    });
  return isOver ? entry(expiresAt, `the proposal of ${action} expired`) : [];
}
