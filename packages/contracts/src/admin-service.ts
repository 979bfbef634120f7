import { isUuid } from '@plataforma/kernel';
import { z } from 'zod';
import { type Endpoint, operators, type ServiceName } from './endpoint.ts';
import {
  id,
  idParams,
  integerOr,
  noQuery,
  nothing,
  page,
  rangeEnd,
  rangeStart,
  text,
  timestamp,
} from './fields.ts';

const everyRole = operators('ADMIN', 'FINANCE', 'SUPPORT');

const uuid = z.string().refine(isUuid, 'must be a UUID');
const facts = z.record(z.string(), z.unknown());

const auditRow = z
  .object({
    id,
    sequence: z.int().meta({ description: '1, 2, 3 … in each service.' }),
    at: timestamp,
    operatorId: id,
    action: z.string().meta({ example: 'withdrawal.reject' }),
    subjectId: id.meta({ description: 'What was changed: a merchant, a withdrawal, a dispute …' }),
    before: facts,
    after: facts,
    reason: z.string().nullable().meta({ description: 'In the operator’s words.' }),
    hash: z.string().meta({ description: 'SHA-256 over all of the row and the hash of the row before it.' }),
  })
  .meta({ id: 'AuditRow' });

export type AuditRowView = z.infer<typeof auditRow>;

const auditQuery = z.strictObject({
  operatorId: uuid.optional(),
  action: text(64).optional(),
  subjectId: uuid.optional(),
  startDate: rangeStart.optional(),
  endDate: rangeEnd.optional(),
  ...page,
});

export type AuditQuery = z.infer<typeof auditQuery>;

const place = z.string().meta({ description: 'The number of a row and its hash.' });

const auditVerification = z
  .object({
    isIntact: z.boolean(),
    rows: z.int().meta({ description: 'How many rows this call has looked at.' }),
    firstBrokenSequence: z
      .int()
      .nullable()
      .meta({ description: 'The first row that is missing, or is not as it was written.' }),
    last: place.nullable().meta({
      description:
        'The last row looked at. Kept elsewhere and sent as `after` at another time, it tells whether what stood there ' +
        'still does: rows that were cut off at the end leave no other trace.',
    }),
    next: place.nullable().meta({ description: 'Send it as `after` to go on; null: that was all.' }),
  })
  .meta({ id: 'AuditVerification' });

export type AuditVerificationView = z.infer<typeof auditVerification>;

/** What every service says of its own operators’ changes. */
function auditLogOf(service: ServiceName, under: string) {
  const shared = { method: 'get', service, access: everyRole, params: nothing, body: nothing } as const;
  const list = {
    ...shared,
    path: `${under}/audit-log`,
    summary: `List what operators have changed in ${service}, newest first`,
    description:
      'One row for each change, written along with it or not at all, and never changed or deleted afterwards.',
    query: auditQuery,
    status: 200,
    data: auditRow,
    paged: true,
    errors: [],
  } as const satisfies Endpoint;
  const verify = {
    ...shared,
    path: `${under}/audit-log/verify`,
    summary: `Check that no row of the audit log of ${service} was tampered with`,
    description:
      'Every row’s hash is computed again, and must name the hash of the row before it. What was changed, taken out or put ' +
      'in between is found. Nothing here can tell rows that somebody appended with the service’s own credentials, and rows ' +
      'cut off at the end only by a `last` that was kept elsewhere. What takes too long for one call is gone on with by the ' +
      'next.',
    query: z.strictObject({
      after: z
        .string()
        .regex(/^\d{1,15}:[0-9a-f]{64}$/, 'must be the next or last of an answer')
        .optional(),
      limit: integerOr(10_000, 1, 50_000).meta({ description: 'How many rows to look at in this call.' }),
    }),
    status: 200,
    data: auditVerification,
    errors: [],
  } as const satisfies Endpoint;
  return { list, verify };
}

export type AuditLogEndpoints = ReturnType<typeof auditLogOf>;

export const auditLogs = {
  gateway: auditLogOf('gateway', '/v1/admin/gateway'),
  charges: auditLogOf('charges', '/v1/admin/charges'),
  withdrawals: auditLogOf('withdrawals', '/v1/admin/withdrawals'),
  ledger: auditLogOf('ledger', '/v1/admin/ledger'),
  webhooks: auditLogOf('webhooks', '/v1/admin/webhooks'),
} as const satisfies Record<ServiceName, AuditLogEndpoints>;

/** The gateway’s, under the name operators look for first. */
export const listAuditLog = {
  ...auditLogs.gateway.list,
  path: '/v1/admin/audit-log',
  description: 'The same as /v1/admin/gateway/audit-log: merchants, their settings, and operators.',
} as const satisfies Endpoint;

const deadLetter = z
  .object({
    id,
    eventId: id.nullable().meta({ description: 'Null: it has none that could be read.' }),
    type: z.string().nullable().meta({
      description: 'The event’s; of what could not be read, what it was sent as.',
      example: 'charge.paid',
    }),
    reason: z
      .string()
      .nullable()
      .meta({
        description:
          'rejected: it could not be read, or not be applied three times over. delivery_limit: its readers ended over it, ' +
          'again and again. Null: not known.',
      }),
    diedAt: timestamp,
    replayedAt: timestamp.nullable(),
  })
  .meta({ id: 'DeadLetter' });

export type DeadLetterView = z.infer<typeof deadLetter>;

const deadLetterQuery = z.strictObject({
  type: text(255).optional(),
  replayed: z.enum(['true', 'false']).optional(),
  ...page,
});

export type DeadLetterQuery = z.infer<typeof deadLetterQuery>;

const inspectedDeadLetter = deadLetter
  .extend({
    body: z.string().meta({
      description: 'The message, with documents, e-mail addresses and long numbers masked.',
    }),
  })
  .meta({ id: 'InspectedDeadLetter' });

const replayedDeadLetter = deadLetter
  .extend({
    outcome: z.enum(['APPLIED', 'APPLIED_BEFORE']).meta({
      description: 'APPLIED_BEFORE: another copy of it has had the effect already.',
    }),
  })
  .meta({ id: 'ReplayedDeadLetter' });

/** What every service that listens to events says of those it could not apply. */
function deadLettersOf(service: Exclude<ServiceName, 'gateway'>) {
  const path = `/v1/admin/${service}/dead-letters` as const;
  const shared = { service, access: everyRole, query: noQuery, body: nothing, status: 200 } as const;
  const list = {
    ...shared,
    method: 'get',
    path,
    summary: `List events that ${service} could not apply, newest first`,
    description:
      'Each has had no effect here and waits until it is replayed; kept for 90 days after that. There should be none.',
    params: nothing,
    query: deadLetterQuery,
    data: deadLetter,
    paged: true,
    errors: [],
  } as const satisfies Endpoint;
  const inspect = {
    ...shared,
    method: 'get',
    path: `${path}/:id`,
    summary: `Read an event that ${service} could not apply`,
    params: idParams,
    data: inspectedDeadLetter,
    errors: ['NOT_FOUND'],
  } as const satisfies Endpoint;
  const replay = {
    ...shared,
    method: 'post',
    path: `${path}/:id/replay`,
    access: operators('ADMIN', 'FINANCE'),
    summary: `Apply an event that ${service} could not apply`,
    description:
      'For when what was wrong is mended. The event takes effect once, however often it is replayed: one that had its effect ' +
      'by another copy counts as done, and `outcome` says so. INVALID_STATE: it was replayed already, it can’t be read, or it ' +
      'still can’t be applied; then nothing was changed.',
    params: idParams,
    body: z.object({ reason: text(255).optional().meta({ description: 'For the audit log.' }) }),
    examples: [{ summary: 'After a release', body: { reason: 'Corrigido na versão 1.4.2.' } }],
    data: replayedDeadLetter,
    errors: ['NOT_FOUND', 'INVALID_STATE'],
  } as const satisfies Endpoint;
  return { list, inspect, replay };
}

export type DeadLetterEndpoints = ReturnType<typeof deadLettersOf>;

export const deadLetters = {
  charges: deadLettersOf('charges'),
  withdrawals: deadLettersOf('withdrawals'),
  ledger: deadLettersOf('ledger'),
  webhooks: deadLettersOf('webhooks'),
} as const satisfies Record<Exclude<ServiceName, 'gateway'>, DeadLetterEndpoints>;
