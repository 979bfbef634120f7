import { z } from 'zod';
import { csv, csvFile, locale } from '../csv.ts';
import { type Definition, endpointsOf, reads, writes } from '../endpoint.ts';
import { cents, count, disputeReasons, edgeIn, id, nullableText, page, sum, timestamp } from '../fields.ts';
import { evidence } from '../forms/evidence.ts';
import { daysInZone, period } from '../period.ts';
import { disputeReasonWords, statuses } from '../value-words.ts';
import { file } from './files.ts';

export const disputeStatuses = [
  'OPEN',
  'UNDER_REVIEW',
  'RESOLVED_MERCHANT',
  'RESOLVED_CUSTOMER',
  'CANCELLED',
] as const;

/** The cost of a decision. */
export const disputeResult = {
  refundedAmount: sum
    .nonnegative()
    .meta({ description: 'Cents that went back to the payer: 0 unless it is lost.' }),
  debt: sum
    .nonnegative()
    .nullable()
    .meta({
      description:
        'Cents of a lost dispute that the reserve lacked. They became `disputeDebt` of the balance, which later income pays. ' +
        'Null while it is undecided, and when the amount was not known at the decision.',
    }),
};

export const dispute = z
  .object({
    id,
    chargeId: id,
    amount: cents.meta({ description: 'Cents; at most what of the charge was not returned yet.' }),
    reason: z.enum(disputeReasons),
    networkReason: z.string().meta({
      description: 'As the bank, the network or an operator wrote it.',
      example: '10.4',
    }),
    description: z.string(),
    status: z.enum(disputeStatuses).meta({
      description: 'CANCELLED by the payer counts as won. Evidence makes an OPEN dispute UNDER_REVIEW.',
    }),
    deadline: timestamp.meta({
      description:
        'Until when evidence is taken. That it passes ends no dispute: the decision does, which may come later.',
    }),
    evidence: z
      .object({ description: z.string(), documents: z.array(z.string()), sentAt: timestamp })
      .nullable(),
    files: z
      .array(file)
      .meta({ description: 'Of the evidence, oldest first; before it is sent, those that will be.' }),
    createdAt: timestamp,
    resolvedAt: timestamp.nullable(),
    resolution: nullableText,
    ...disputeResult,
  })
  .meta({ id: 'Dispute' });

export type DisputeView = z.infer<typeof dispute>;

/** With the size of the evidence only: a list of disputes stays short whatever was sent. */
export const disputeInList = dispute
  .omit({ files: true })
  .extend({
    externalId: z.string().meta({ description: 'Of the charge.' }),
    evidence: z.object({ description: z.string(), documentCount: count, sentAt: timestamp }).nullable(),
  })
  .meta({ id: 'DisputeInList' });

export type DisputeInListView = z.infer<typeof disputeInList>;

const disputeQuery = z
  .strictObject({
    status: z.enum(disputeStatuses).optional(),
    chargeId: id.optional(),
    deadlineBefore: period.endDate.meta({
      description: 'With status=OPEN: what is to be answered by the end of this day, or this instant.',
    }),
    ...period,
    locale,
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
  chargeId: csv.id('Cobrança'),
  resolvedAt: csv.time('Encerrada em'),
  resolution: csv.anyText('Desfecho'),
};

export type DisputeQuery = z.infer<typeof disputeQuery>;

export const disputes = endpointsOf('charges', {
  listDisputes: {
    route: 'GET /v1/disputes',
    access: reads('charges:read', 'charges:write', 'disputes:write'),
    summary: 'List disputes, newest first',
    description:
      'The documents of the evidence are counted here; each dispute by itself names them, and its files. startDate and endDate ' +
      'are of its opening.',
    query: disputeQuery,
    data: disputeInList,
    paged: true,
    alsoAs: [csvFile(disputeColumns, 'All that the filters leave, newest first')],
  },

  getDispute: {
    route: 'GET /v1/disputes/:id',
    access: reads('charges:read', 'charges:write', 'disputes:write'),
    summary: 'Read a dispute',
    description: 'With its evidence, whose documents lists only count, and its files.',
    data: dispute,
  },

  sendEvidence: {
    route: 'POST /v1/disputes/:id/evidence',
    access: writes('charges:write', 'disputes:write'),
    summary: 'Answer a dispute',
    description:
      'Once, while it is OPEN and before its deadline; it is UNDER_REVIEW from then on. The files that were added to it ' +
      '(`POST /v1/files`) are part of it.',
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
