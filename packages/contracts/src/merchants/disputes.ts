import { z } from 'zod';
import { type CsvColumns, csv, csvFile, locale } from '../csv.ts';
import { edgeIn, timestamp } from '../days.ts';
import { type Definition, endpointsOf, reads, writes } from '../endpoint.ts';
import { cents, count, disputeReasons, id, nullableText, sum } from '../fields.ts';
import { evidence } from '../forms/evidence.ts';
import { page, sums } from '../paging.ts';
import { daysInZone, period } from '../period.ts';
import { searchByCharge } from '../search-field.ts';
import { disputeReasonWords, methods, statuses } from '../value-words.ts';
import { listedCharge } from './charge-view.ts';
import { file } from './files.ts';

export const disputeStatuses = [
  'OPEN',
  'UNDER_REVIEW',
  'RESOLVED_MERCHANT',
  'RESOLVED_CUSTOMER',
  'CANCELLED',
] as const;

/** The amounts that a merchant pays for a decided dispute. */
export const disputeResult = {
  refundedAmount: sum
    .nonnegative()
    .meta({ description: 'Cents returned to the payer. 0 unless the dispute is lost.' }),
  debt: sum
    .nonnegative()
    .nullable()
    .meta({
      description:
        'Cents of a lost dispute that the reserve lacked. They became `disputeDebt` of the balance, which ' +
        'later income pays. Null while the dispute is undecided, and if the amount was unknown at the ' +
        'decision.',
    }),
};

export const dispute = z
  .object({
    id,
    chargeId: id,
    amount: cents.meta({
      description: 'Amount in cents, at most the part of the charge that was not returned yet.',
    }),
    reason: z.enum(disputeReasons),
    networkReason: z.string().meta({
      description: 'Text as written by the bank, the network or an operator.',
      example: '10.4',
    }),
    description: z.string(),
    status: z.enum(disputeStatuses).meta({
      description:
        'Status of the dispute. CANCELLED by the payer counts as won. Evidence changes an OPEN dispute to ' +
        'UNDER_REVIEW.',
    }),
    deadline: timestamp.meta({
      description:
        'Time until which evidence is accepted. The end of the deadline does not end the dispute. The ' +
        'decision ends it, and may come later.',
    }),
    evidence: z
      .object({ description: z.string(), documents: z.array(z.string()), sentAt: timestamp })
      .nullable(),
    files: z.array(file).meta({
      description:
        'Files of the evidence, oldest first. Before the evidence is sent, these are the files that it ' +
        'will include.',
    }),
    createdAt: timestamp,
    resolvedAt: timestamp.nullable(),
    resolution: nullableText,
    ...disputeResult,
  })
  .meta({ id: 'Dispute' });

export type DisputeView = z.infer<typeof dispute>;

/** A dispute in a list. It has the number of files instead of the files, so that the list stays short. */
export const disputeInList = dispute
  .omit({ files: true })
  .extend({
    ...listedCharge,
    evidence: z.object({ description: z.string(), documentCount: count, sentAt: timestamp }).nullable(),
  })
  .meta({ id: 'DisputeInList' });

export type DisputeInListView = z.infer<typeof disputeInList>;

const disputeQuery = z
  .strictObject({
    status: z.enum(disputeStatuses).optional(),
    chargeId: id.optional(),
    search: searchByCharge('dispute'),
    deadlineBefore: period.endDate.meta({
      description:
        'Returns disputes with a deadline up to the end of this day, or up to this instant. Use it with ' +
        'status=OPEN.',
    }),
    ...period,
    locale,
    sums,
    ...page,
  })
  .check(daysInZone)
  .check(({ value }) => {
    value.deadlineBefore = edgeIn(value.deadlineBefore, value.timeZone);
  });

export const disputeColumns = {
  id: csv.id('Contestação'),
  createdAt: csv.time('Aberta em'),
  status: csv.word('Situação', statuses['pt-BR'].dispute),
  amount: csv.money('Valor'),
  refundedAmount: csv.money('Valor devolvido'),
  debt: csv.money('Dívida'),
  reason: csv.word('Motivo', disputeReasonWords['pt-BR']),
  networkReason: csv.text('Motivo do banco'),
  description: csv.anyText('Descrição'),
  deadline: csv.time('Prazo'),
  evidenceSentAt: csv.time('Defesa enviada em'),
  externalId: csv.text('Pedido'),
  paymentMethod: { ...csv.word('Meio de pagamento', methods['pt-BR']), needsLocale: true },
  payerName: { ...csv.text('Pagador'), needsLocale: true },
  chargeId: csv.id('Cobrança'),
  resolvedAt: csv.time('Encerrada em'),
  resolution: csv.anyText('Desfecho'),
} satisfies CsvColumns;

export type DisputeQuery = z.infer<typeof disputeQuery>;

export const disputes = endpointsOf('charges', {
  listDisputes: {
    route: 'GET /v1/disputes',
    access: reads('charges:read', 'charges:write', 'disputes:write'),
    summary: 'List disputes, newest first',
    description:
      'The list only counts the documents of the evidence; a single dispute names its documents and ' +
      'files. startDate and endDate apply to the opening of the dispute.',
    query: disputeQuery,
    data: disputeInList,
    paged: true,
    alsoAs: [csvFile(disputeColumns, 'All rows that match the filters, newest first')],
  },

  getDispute: {
    route: 'GET /v1/disputes/:id',
    access: reads('charges:read', 'charges:write', 'disputes:write'),
    summary: 'Read a dispute',
    description:
      'Returns the dispute with its files and the documents of its evidence. Lists only count these ' +
      'documents.',
    data: dispute,
  },

  sendEvidence: {
    route: 'POST /v1/disputes/:id/evidence',
    access: writes('charges:write', 'disputes:write'),
    summary: 'Answer a dispute',
    description:
      'Evidence can be sent once, while the dispute is OPEN and before its deadline. The dispute is then ' +
      'UNDER_REVIEW. The evidence includes the files added to the dispute (`POST /v1/files`).',
    body: evidence,
    examples: [
      {
        summary: 'A proof of delivery',
        body: {
          description: 'Entregue e assinado pelo comprador em 20 de novembro.',
          documents: ['https://loja.example/entregas/1001.pdf'],
        },
      },
    ],
    data: dispute,
    keyed: true,
    errors: ['INVALID_STATE'],
  },
} as const satisfies Record<string, Definition>);
