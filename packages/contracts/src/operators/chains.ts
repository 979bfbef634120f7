import { z } from 'zod';
import type { ServiceName } from '../endpoint.ts';
import { count, integerOr, timestamp } from '../fields.ts';

/** Each has a chain of hashes, and keeps the heads of those of all others. */
export const chainServices = [
  'gateway',
  'charges',
  'withdrawals',
  'ledger',
  'webhooks',
] as const satisfies readonly ServiceName[];

const rowPosition = z.string().meta({ description: 'The number of a row and its hash.' });

/** The result of a service that computes the hashes of its own chain again. */
export const chainVerification = z.object({
  isIntact: z.boolean(),
  rows: count.meta({ description: 'How many rows this call has looked at.' }),
  firstBrokenSequence: count
    .nullable()
    .meta({ description: 'The first row that is missing, or is not as it was written.' }),
  last: rowPosition.nullable().meta({
    description:
      'The last row looked at. Kept elsewhere and sent as `after` at another time, it tells whether what stood there ' +
      'still does: rows that were cut off at the end leave no other trace.',
  }),
  next: rowPosition.nullable().meta({ description: 'Send it as `after` to go on; null: that was all.' }),
});

export type ChainVerification = z.infer<typeof chainVerification>;

const keeper = z
  .object({
    service: z.enum(chainServices),
    lastSequence: count
      .nullable()
      .meta({ description: 'The last place whose hash it keeps; null: none yet.' }),
    firstBrokenSequence: count
      .nullable()
      .meta({ description: 'The first place that it keeps with another hash, or that is gone.' }),
  })
  .meta({ id: 'ChainKeeper' });

export type ChainKeeperView = z.infer<typeof keeper>;

const keptBy = z.array(keeper).meta({
  description:
    'The services that answered, and what they keep of this chain outside of its database: at least two, or none where ' +
    'the chain itself has a break.',
});

const anchored = z
  .object({ sequence: count, at: timestamp })
  .nullable()
  .meta({
    description:
      'The last row whose hash at least two of them keep, and when it was announced: only up to there does anything but the ' +
      'chain itself vouch for it. Null: nowhere.',
  });

/** How far anything outside of its database vouches for a chain. */
export const anchorFields = { keptBy, anchored };

/** The result for the heads of the journal, as far as time allowed. */
export const headsResult = chainVerification.pick({ isIntact: true, firstBrokenSequence: true }).extend({
  ...anchorFields,
  next: rowPosition.nullable().meta({
    description:
      'The last head that the ledger computed again in time: it was not asked for those after it. Send it as `after` to ' +
      '`GET /v1/admin/ledger/journal/verify` to go on. Null: it was asked for all, or a break was found.',
  }),
});

/** Goes on from an answer's `next` or `last`. */
export const chainQuery = (usual: number, most: number) =>
  z.strictObject({
    after: z
      .string()
      .regex(/^\d{1,15}:[0-9a-f]{64}$/, 'must be the next or last of an answer')
      .optional(),
    limit: integerOr(usual, 1, most).meta({ description: 'How many rows to look at in this call.' }),
  });
