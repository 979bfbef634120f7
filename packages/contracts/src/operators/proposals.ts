import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, finance } from '../endpoint.ts';
import { id, nullableText, sum, visibleText } from '../fields.ts';
import { page } from '../paging.ts';

/** The services that store proposals. */
export const proposalServices = ['gateway', 'ledger', 'charges', 'withdrawals'] as const;

export type ProposalService = (typeof proposalServices)[number];

const actions = [
  ...(['wallet.adjustment', 'wallet.unblock'] as const),
  ...(['withdrawal.complete', 'withdrawal.fail', 'dispute.resolve'] as const),
  ...(['operator.create', 'operator.change', 'merchant.settings'] as const),
] as const;

export type ProposalAction = (typeof actions)[number];

const statuses = ['PROPOSED', 'EXECUTED', 'REJECTED', 'EXPIRED'] as const;

export type ProposalStatus = (typeof statuses)[number];

const proposal = z
  .object({
    id,
    service: z.enum(proposalServices).meta({ description: 'Service that stores the record.' }),
    action: z.string().meta({
      description: 'Kind of change, as in the filter `action`. A newer service may have further kinds.',
    }),
    effect: z.string().meta({ description: 'One sentence that says what the approval does.' }),
    subjectId: id.meta({
      description:
        'Id of the object that the proposal creates or changes: the adjustment or unblock, the operator, ' +
        'the merchant, the withdrawal or the dispute.',
    }),
    merchantId: id.nullable(),
    environment: z.enum(environments).nullable(),
    amount: sum.nullable().meta({ description: 'Amount in cents. An amount below 0 is a debit.' }),
    reason: nullableText,
    status: z.enum(statuses).meta({
      description:
        'PROPOSED: waits for another operator. EXECUTED: approved, and in effect. REJECTED: without an ' +
        'effect. EXPIRED: without an approval in time.',
    }),
    proposedAt: timestamp,
    proposedBy: id.meta({ description: 'Id of the operator.' }),
    expiresAt: timestamp.meta({ description: 'One day after the proposal.' }),
    decidedAt: timestamp.nullable(),
    decidedBy: id.nullable().meta({ description: 'Operator who approved or rejected the proposal.' }),
    decisionReason: nullableText.meta({ description: 'Reason of a rejection.' }),
  })
  .meta({ id: 'Proposal' });

export type ProposalView = z.infer<typeof proposal>;

/** The second success response of an endpoint whose changes need the approval of another operator. */
export const proposes = {
  status: 202,
  when:
    'Nothing has changed yet. The response is a proposal, which another operator must approve within a ' +
    'day. A single operator never gets this response.',
  data: proposal,
} as const;

const filters = {
  status: z.enum(statuses).optional(),
  action: z.enum(actions).optional(),
  merchantId: z.uuid().optional(),
};

/** The query with which the gateway requests a service's newest proposals, or one proposal by `id`. */
export const proposalPartQuery = z.strictObject({
  ...filters,
  id: z.uuid().optional(),
  newest: z.coerce.number().int().min(1).max(10_000),
  after: page.after,
});

export type ProposalPartQuery = z.infer<typeof proposalPartQuery>;

/** The response of one service to `proposalPartQuery`, newest proposal first. */
export const proposalPart = z.object({ total: z.int(), items: z.array(proposal) });

export const proposals = endpointsOf('gateway', {
  listProposals: {
    route: 'GET /v1/admin/proposals',
    access: finance,
    summary: 'List proposals of operators, newest first',
    description:
      'Page numbers reach the newest 10,000 proposals; `after` reaches all of them. SERVICE_UNAVAILABLE ' +
      'means that a service did not answer and that the list would lack its proposals.',
    query: z.strictObject({ ...filters, ...page }),
    data: proposal,
    paged: true,
  },

  readProposal: {
    route: 'GET /v1/admin/proposals/:id',
    access: finance,
    summary: 'Read a proposal',
    description: 'SERVICE_UNAVAILABLE means that a service which may have the proposal did not answer.',
    data: proposal,
  },

  approveProposal: {
    route: 'POST /v1/admin/proposals/:id/approve',
    access: finance,
    freshFactor: true,
    keyed: true,
    summary: 'Approve a proposal',
    description:
      'Executes the change once, in this request. The approver needs the role of the endpoint that made ' +
      'the proposal. FORBIDDEN also means that the approver is the proposer, was created less than 24 ' +
      'hours ago, or was created by the proposer less than 30 days ago; the message says when the ' +
      'approver may approve. If the change is refused, for example because of the balance, the ' +
      'proposal stays PROPOSED. INVALID_STATE means that the proposal is decided or expired, or that its ' +
      'proposer has lost the role.',
    data: proposal,
    errors: ['INVALID_STATE', 'INSUFFICIENT_BALANCE', 'OPERATOR_EXISTS'],
  },

  rejectProposal: {
    route: 'POST /v1/admin/proposals/:id/reject',
    access: finance,
    summary: 'Reject or withdraw a proposal',
    description:
      'The proposer, or an operator with the role of the endpoint that made the proposal, ends the ' +
      'proposal without an effect.',
    body: z.object({ reason: visibleText(255) }),
    examples: [{ summary: 'Wrong amount', body: { reason: 'o valor está errado' } }],
    data: proposal,
    errors: ['INVALID_STATE'],
  },
} as const satisfies Record<string, Definition>);
