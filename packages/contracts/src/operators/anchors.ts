import { z } from 'zod';
import { type Definition, endpointsOf, everyRole, finance } from '../endpoint.ts';
import { count, id, nullableText, timestamp, visibleText } from '../fields.ts';
import { chainServices } from './chains.ts';

const service = z.enum(chainServices).meta({ description: 'Whose chain of hashes.' });
const chain = z
  .enum(['audit', 'journal'])
  .meta({ description: 'audit: its audit log. journal: the books of the ledger.' });

const anchor = z
  .object({
    service,
    chain,
    epoch: count.meta({ description: '1, 2, 3 …: an operator begins the next one after a restore.' }),
    anchoredSequence: count
      .nullable()
      .meta({ description: 'The last row whose hash at least two other services keep; null: none yet.' }),
    anchoredAt: timestamp.nullable(),
    checkedAt: timestamp.nullable().meta({
      description:
        'When the chain was last compared with what others keep, and followed from there to its end.',
    }),
    unanchoredSince: timestamp.nullable().meta({
      description:
        'Since when rows after that one were found, while no further one was anchored; null: there were none. An hour or two ' +
        'are usual, as each hour’s last row is announced.',
    }),
    isIntact: z.boolean(),
    firstBrokenSequence: count
      .nullable()
      .meta({ description: 'The first row that is missing, or is not the one whose hash is kept.' }),
    reason: nullableText.meta({ description: 'Why this epoch was begun, in the operator’s words.' }),
    begunBy: id.nullable(),
    nextEpochProposedBy: id
      .nullable()
      .meta({ description: 'The operator who has asked for a new epoch, which another one must, too.' }),
  })
  .meta({ id: 'AuditAnchor' });

export type AuditAnchorView = z.infer<typeof anchor>;

export const anchors = endpointsOf('gateway', {
  listAuditAnchors: {
    route: 'GET /v1/admin/audit-anchors',
    access: everyRole,
    summary: 'List how far each audit log is anchored outside of its own database',
    description:
      'Once an hour each service announces the hash of its last row, which all others keep, and the gateway compares each ' +
      'chain with what at least two of them keep of it. A log that was written anew, or cut off, no longer fits, also when ' +
      'the owner of its database did it.',
    query: z.strictObject({}),
    data: z.array(anchor),
  },

  beginAuditEpoch: {
    route: 'POST /v1/admin/audit-epochs',
    access: finance,
    summary: 'Begin a new epoch of an audit log after a restore',
    description:
      'What was kept before stays, but is compared no more: the chain is followed anew from its first row. It takes two ' +
      'operators, who ask for the same within a day; where only one is active that one begins it alone, which is an alert. ' +
      'Only of a chain that is not intact, as comparing it right then shows; else INVALID_STATE. SERVICE_UNAVAILABLE: the ' +
      'service, or more than two of those that keep its heads, did not answer, and nothing was found broken before.',
    body: z.object({ service, chain: chain.default('audit'), reason: visibleText(500) }),
    examples: [
      { summary: 'Restored', body: { service: 'ledger', reason: 'banco restaurado para 22/11 00:49 UTC' } },
    ],
    status: 201,
    otherStatus: {
      status: 202,
      when: 'It is not begun yet: another operator must ask for it, too, within a day.',
    },
    data: anchor,
    errors: ['INVALID_STATE'],
  },
} as const satisfies Record<string, Definition>);
