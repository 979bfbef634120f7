import { z } from 'zod';
import { timestamp } from '../days.ts';
import type { ServiceName } from '../endpoint.ts';
import { count } from '../fields.ts';
import { integerOr } from '../paging.ts';

/**
 * The services with a chain of hashes. Each service also stores the newest hashes of the other services'
 * chains.
 */
export const chainServices = [
  'gateway',
  'charges',
  'withdrawals',
  'ledger',
  'webhooks',
] as const satisfies readonly ServiceName[];

const rowPosition = z.string().meta({ description: 'Number of a row, and its hash.' });

/** The result that a service returns after it recomputed the hashes of its own chain. */
export const chainVerification = z.object({
  isIntact: z.boolean(),
  rows: count.meta({ description: 'Number of rows checked in this call.' }),
  firstBrokenSequence: count.nullable().meta({ description: 'First row that is missing or was changed.' }),
  last: rowPosition.nullable().meta({
    description:
      'Last row checked. Store it elsewhere and send it later as `after`, to verify that this row still ' +
      'exists. Rows that were cut off at the end leave no other trace.',
  }),
  next: rowPosition
    .nullable()
    .meta({ description: 'Cursor to send as `after` to continue. Null means that all rows were checked.' }),
});

export type ChainVerification = z.infer<typeof chainVerification>;

const keeper = z
  .object({
    service: z.enum(chainServices),
    lastSequence: count.nullable().meta({
      description: 'Last position with a hash in this service. Null means that the service has none yet.',
    }),
    firstBrokenSequence: count.nullable().meta({
      description: 'First position with a different hash in this service, or that no longer exists.',
    }),
  })
  .meta({ id: 'ChainKeeper' });

export type ChainKeeperView = z.infer<typeof keeper>;

const keptBy = z.array(keeper).meta({
  description:
    'Services that answered, and the hashes of this chain that they store outside of its database. At ' +
    'least two services answer, or none if the chain itself has a break.',
});

const anchored = z
  .object({ sequence: count, at: timestamp })
  .nullable()
  .meta({
    description:
      'Last row with a hash in at least two services, and the time of its announcement. Rows after it ' +
      'have no proof except the chain itself. Null means that no row has such a proof.',
  });

/** The part of a chain that is confirmed by hashes stored in other services. */
export const anchorFields = { keptBy, anchored };

/**
 * The comparison of the ledger's journal with the hourly hashes that other services store. Covers only the
 * hashes that the ledger had time to recompute.
 */
export const headsResult = chainVerification.pick({ isIntact: true, firstBrokenSequence: true }).extend({
  ...anchorFields,
  next: rowPosition.nullable().meta({
    description:
      'Last head that the ledger recomputed in time. Later heads were not requested. Send it as `after` ' +
      'to `GET /v1/admin/ledger/journal/verify` to continue. Null means that all heads were requested, or ' +
      'that the check found a break.',
  }),
});

/**
 * Returns the schema of a query for a verification. `after` is the `next` or the `last` of an earlier
 * response.
 */
export const chainQuery = (usual: number, most: number) =>
  z.strictObject({
    after: z
      .string()
      .regex(/^\d{1,15}:[0-9a-f]{64}$/, 'must be the next or last of an answer')
      .optional(),
    limit: integerOr(usual, 1, most).meta({ description: 'Number of rows to check in this call.' }),
  });
