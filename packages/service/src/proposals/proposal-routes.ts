import {
  api,
  type ProposalPartQuery,
  type ProposalService,
  type ProposalView,
  type proposalPart,
  proposalPartQuery,
} from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import {
  requireService,
  serveOperator,
  serveOperatorIdempotent,
  type Verifier,
  validate,
} from '@plataforma/http';
import type { Clock } from '@plataforma/kernel';
import { isTrusted, type ProposalRow, readProposals, sealedProposals } from '@plataforma/tables';
import type { IRouter } from 'express';
import type { z } from 'zod';
import { actionNamed } from './action.ts';
import { approveProposal, type ProposalDependencies, type Requested, rejectProposal } from './decide.ts';

interface Proposals extends ProposalDependencies {
  database: Database;
  clock: Clock;
  service: ProposalService;
}

/**
 * Serves the proposals of a service. The gateway forwards these requests to the service that stores the
 * proposal, and merges the lists of all services.
 */
export function proposalRoutes(router: IRouter, proposals: Proposals & { verifier: Verifier }): void {
  const { verifier, database } = proposals;
  const view = proposalView(proposals);
  router.get('/internal/proposals', async (req, res) => {
    requireService(req, verifier, 'gateway');
    res.json({
      success: true,
      data: await readProposalPart(proposals, validate(proposalPartQuery, req.query)),
    });
  });
  serveOperatorIdempotent(router, api.approveProposal, {
    verifier,
    database,
    work: ({ params: { id } }, { operatorId }, { saveResponse }) =>
      approveProposal(proposals, { id, operatorId }, saveResponse),
    show: (approved: ProposalRow) => ({ data: view(approved) }),
  });
  serveOperator(router, api.rejectProposal, {
    verifier,
    answer: async ({ params: { id }, body: { reason } }, { operatorId }) => ({
      data: view(await rejectProposal(proposals, { id, operatorId, reason })),
    }),
  });
}

/** Returns the newest matching proposals of this service, and the number of all matching proposals. */
export async function readProposalPart(
  proposals: Omit<Proposals, 'operators' | 'transaction'>,
  query: ProposalPartQuery,
): Promise<z.infer<typeof proposalPart>> {
  const { total, proposals: found } = await readProposals(proposals.database, query);
  return { total, items: found.map(proposalView(proposals)) };
}

/** Returns the function that builds the operators' view of a proposal, without its arguments. */
export function proposalView({
  database,
  clock,
  service,
  actions,
}: Omit<Proposals, 'operators' | 'transaction'>): (row: ProposalRow) => ProposalView {
  return (row) => {
    const { id, action, subjectId, merchantId, environment, amount, reason } = row;
    const { proposedBy, proposedAt, expiresAt, decidedBy, decidedAt, decisionReason } = row;
    const isExpired = row.status === 'PROPOSED' && expiresAt <= clock();
    return {
      ...{ id, service, action, effect: effectOf(row), subjectId, merchantId, environment, amount, reason },
      status: isExpired ? 'EXPIRED' : row.status,
      ...{ proposedAt: proposedAt.toISOString(), proposedBy, expiresAt: expiresAt.toISOString() },
      ...{ decidedAt: decidedAt?.toISOString() ?? null, decidedBy, decisionReason },
    };
  };

  function effectOf(row: ProposalRow): string {
    if (!isTrusted(database, sealedProposals, row)) return UNTRUSTED;
    return actionNamed(actions, row.action)?.effect(row.arguments) ?? UNKNOWN;
  }
}

/** Returns the view of the executed change, or status 202 with the proposal that needs an approval. */
export function shownOr202<Done, View>(
  proposals: Omit<Proposals, 'operators' | 'transaction'>,
  show: (done: Done) => View,
): (requested: Requested<Done>) => { data: View | ProposalView; status?: number } {
  return (requested) =>
    'proposal' in requested
      ? { status: 202, data: proposalView(proposals)(requested.proposal) }
      : { data: show(requested.done) };
}

const UNTRUSTED = 'This proposal does not have the seal of the platform, and cannot be approved.';
const UNKNOWN = 'A newer release has stored this proposal.';
