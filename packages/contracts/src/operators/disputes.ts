import { MAX_AMOUNT } from '@plataforma/kernel';
import { z } from 'zod';
import { instant } from '../days.ts';
import { type Definition, endpointsOf, everyRole, finance } from '../endpoint.ts';
import { CARD_CHARGE } from '../example-ids.ts';
import { idOf, visibleText } from '../fields.ts';
import { dispute, disputeInList, disputeStatuses } from '../merchants/disputes.ts';
import { file, fileBytes } from '../merchants/files.ts';
import { page } from '../paging.ts';
import { ofOwner, owner } from './owner.ts';
import { proposes } from './proposals.ts';

export const adminDispute = dispute.extend(owner).meta({ id: 'AdminDispute' });

export type AdminDisputeView = z.infer<typeof adminDispute>;

const adminDisputeInList = disputeInList
  .omit({ payerName: true })
  .extend(owner)
  .meta({ id: 'AdminDisputeInList' });

export type AdminDisputeInListView = z.infer<typeof adminDisputeInList>;

const disputeQuery = z.strictObject({
  ...ofOwner,
  status: z.enum(disputeStatuses).optional(),
  overdue: z
    .enum(['true'])
    .optional()
    .meta({ description: 'Returns only undecided disputes past their deadline.' }),
  ...page,
});

export type AdminDisputeQuery = z.infer<typeof disputeQuery>;

export const adminDisputes = endpointsOf('charges', {
  openDispute: {
    route: 'POST /v1/admin/disputes',
    access: finance,
    summary: 'Open a dispute on a paid charge',
    description:
      'Amount in cents. It is limited to the part of the charge that was not returned yet, which is also ' +
      'the default.',
    body: z
      .object({
        chargeId: idOf('must be a charge’s id'),
        amount: z.int().min(1).max(MAX_AMOUNT).optional(),
        reason: visibleText(255),
        description: visibleText(255),
        deadline: instant
          .optional()
          .meta({ description: 'Deadline for evidence. Defaults to seven days from now.' }),
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
      'The list only counts the documents of the evidence. The dispute’s charge shows the documents and ' +
      'the files.',
    query: disputeQuery,
    data: adminDisputeInList,
    paged: true,
  },

  inspectFile: {
    route: 'GET /v1/admin/files/:id',
    access: everyRole,
    summary: 'Read a file of a merchant’s evidence',
    description:
      'Returns the file’s description, or its bytes as a download with `Accept: ' +
      'application/octet-stream`. Files are not scanned for malware. A merchant, or a holder of its key, ' +
      'uploaded them.',
    data: file,
    alsoAs: fileBytes,
  },

  resolveDispute: {
    route: 'POST /v1/admin/disputes/:id/resolve',
    freshFactor: true,
    otherStatus: proposes,
    access: finance,
    summary: 'End a dispute',
    description:
      'MERCHANT: the dispute is won, and the charge is PAID again. CUSTOMER: the dispute is lost, and the ' +
      'charge is REFUNDED. CANCELLED counts as won. The operator who opened the dispute gets FORBIDDEN, ' +
      'unless the platform has a single operator. Two operators must decide if the operator’s or the ' +
      'merchant’s sum of the day would exceed the platform’s threshold.',
    body: z
      .object({ outcome: z.enum(['MERCHANT', 'CUSTOMER', 'CANCELLED']), resolution: visibleText(255) })
      .meta({
        examples: [{ outcome: 'MERCHANT', resolution: 'A entrega foi comprovada.' }],
      }),
    data: adminDispute,
    errors: ['INVALID_STATE'],
  },
} as const satisfies Record<string, Definition>);
