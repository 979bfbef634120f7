import { z } from 'zod';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, everyRole, finance } from '../endpoint.ts';
import { count, id, nullableText, visibleText } from '../fields.ts';
import { chainServices } from './chains.ts';

const service = z.enum(chainServices).meta({ description: 'Service of the hash chain.' });
const chain = z
  .enum(['audit', 'journal'])
  .meta({ description: 'audit: the service’s audit log. journal: the books of the ledger.' });

const anchor = z
  .object({
    service,
    chain,
    epoch: count.meta({
      description: 'Number of the epoch: 1, 2, 3 … An operator begins the next epoch after a restore.',
    }),
    anchoredSequence: count.nullable().meta({
      description: 'Last row with a hash in at least two other services. Null means that no row has one yet.',
    }),
    anchoredAt: timestamp.nullable(),
    checkedAt: timestamp.nullable().meta({
      description:
        'Time of the last comparison of the chain with the other services’ hashes. The comparison follows ' +
        'the chain from there to its end.',
    }),
    unanchoredSince: timestamp.nullable().meta({
      description:
        'Time since which later rows exist without a new anchor. Null means that no such rows exist. One ' +
        'or two hours are normal, because only the last row of each hour is published.',
    }),
    isIntact: z.boolean(),
    firstBrokenSequence: count
      .nullable()
      .meta({ description: 'First row that is missing or does not match the stored hash.' }),
    reason: nullableText.meta({ description: 'Reason for this epoch, in the operator’s words.' }),
    begunBy: id.nullable(),
    nextEpochProposedBy: id
      .nullable()
      .meta({ description: 'Operator who requested a new epoch. Another operator must request it as well.' }),
  })
  .meta({ id: 'AuditAnchor' });

export type AuditAnchorView = z.infer<typeof anchor>;

export const anchors = endpointsOf('gateway', {
  listAuditAnchors: {
    route: 'GET /v1/admin/audit-anchors',
    access: everyRole,
    summary: 'List the anchors of the audit logs',
    description:
      'Once an hour each service publishes the hash of its last row, which all other services store. The ' +
      'gateway compares each chain with the hashes of at least two of them. A rewritten or truncated log ' +
      'no longer matches, even if the owner of its database changed it.',
    query: z.strictObject({}),
    data: z.array(anchor),
  },

  beginAuditEpoch: {
    route: 'POST /v1/admin/audit-epochs',
    access: finance,
    freshFactor: true,
    summary: 'Begin a new epoch of an audit log after a restore',
    description:
      'Earlier hashes are retained but no longer compared. The comparison starts again at the first row ' +
      'of the chain. Two operators must request the same epoch within a day. A single operator ' +
      'begins it alone, which triggers an alert. The chain must have a break, as a comparison at that ' +
      'moment shows; otherwise the response is INVALID_STATE. SERVICE_UNAVAILABLE means that no earlier ' +
      'break was found and that the service did not answer. It also applies if more than two services ' +
      'that store its heads did not answer.',
    body: z.object({ service, chain: chain.default('audit'), reason: visibleText(500) }),
    examples: [
      {
        summary: 'After a restore',
        body: { service: 'ledger', reason: 'banco restaurado para 22/11 00:49 UTC' },
      },
    ],
    status: 201,
    otherStatus: {
      status: 202,
      when: 'The epoch has not begun. Another operator must also request it within a day.',
    },
    data: anchor,
    errors: ['INVALID_STATE'],
  },
} as const satisfies Record<string, Definition>);
