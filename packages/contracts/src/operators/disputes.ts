import { MAX_AMOUNT } from '@plataforma/kernel';
import { z } from 'zod';
import { type Definition, endpointsOf, everyRole, finance } from '../endpoint.ts';
import { CARD_CHARGE } from '../example-ids.ts';
import { idOf, instant, page, visibleText } from '../fields.ts';
import { dispute, disputeInList, disputeStatuses } from '../merchants/disputes.ts';
import { file, fileBytes } from '../merchants/files.ts';
import { ofOwner, owner } from './owner.ts';

export const adminDispute = dispute.extend(owner).meta({ id: 'AdminDispute' });

export type AdminDisputeView = z.infer<typeof adminDispute>;

const adminDisputeInList = disputeInList.extend(owner).meta({ id: 'AdminDisputeInList' });

export type AdminDisputeInListView = z.infer<typeof adminDisputeInList>;

const disputeQuery = z.strictObject({
  ...ofOwner,
  status: z.enum(disputeStatuses).optional(),
  overdue: z
    .enum(['true'])
    .optional()
    .meta({ description: 'Only undecided ones whose deadline has passed.' }),
  ...page,
});

export type AdminDisputeQuery = z.infer<typeof disputeQuery>;

export const adminDisputes = endpointsOf('charges', {
  openDispute: {
    route: 'POST /v1/admin/disputes',
    access: finance,
    summary: 'Open a dispute on a paid charge',
    description: 'The amount is cut to what of the charge was not returned yet; left out, it is all of that.',
    body: z
      .object({
        chargeId: idOf('must be a charge’s id'),
        amount: z.int().min(1).max(MAX_AMOUNT).optional(),
        reason: visibleText(255),
        description: visibleText(255),
        deadline: instant.optional().meta({ description: 'In seven days when left out.' }),
      })
      .meta({
        examples: [
          {
            chargeId: CARD_CHARGE,
            amount: 4000,
            reason: 'FRAUD',
            description: 'O pagador não reconhece a compra.',
          },
        ],
      }),
    status: 201,
    data: adminDispute,
    keyed: true,
    errors: ['NOT_FOUND', 'INVALID_STATE', 'REQUEST_IN_PROGRESS'],
  },

  listAllDisputes: {
    route: 'GET /v1/admin/disputes',
    access: everyRole,
    summary: 'List the disputes of all merchants, newest first',
    description:
      'The documents of the evidence are counted here; the charge of a dispute shows them, and its files.',
    query: disputeQuery,
    data: adminDisputeInList,
    paged: true,
  },

  inspectFile: {
    route: 'GET /v1/admin/files/:id',
    access: everyRole,
    summary: 'Read a file of a merchant’s evidence',
    description:
      'What it is; with `Accept: application/octet-stream` its bytes, as a download. Files are not scanned: a merchant, or ' +
      'who has its key, has sent them.',
    data: file,
    alsoAs: fileBytes,
  },

  resolveDispute: {
    route: 'POST /v1/admin/disputes/:id/resolve',
    access: finance,
    summary: 'End a dispute',
    description:
      'MERCHANT: won, the charge is PAID again. CUSTOMER: lost, it is REFUNDED. CANCELLED counts as won.',
    body: z
      .object({ outcome: z.enum(['MERCHANT', 'CUSTOMER', 'CANCELLED']), resolution: visibleText(255) })
      .meta({
        examples: [{ outcome: 'MERCHANT', resolution: 'A entrega foi comprovada.' }],
      }),
    data: adminDispute,
    errors: ['INVALID_STATE'],
  },
} as const satisfies Record<string, Definition>);
