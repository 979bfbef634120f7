import { z } from 'zod';
import { type Definition, type Endpoint, endpointsOf, everyRole, type ServiceName } from '../endpoint.ts';
import { count, id, idOf, nullableText, page, text, timestamp } from '../fields.ts';
import { daysInZone, period } from '../period.ts';
import { anchorFields, chainQuery, chainVerification } from './chains.ts';

const facts = z.record(z.string(), z.unknown());

const auditRow = z
  .object({
    id,
    sequence: count.meta({ description: '1, 2, 3 … in each service.' }),
    at: timestamp,
    operatorId: id.meta({
      description:
        'The nil UUID where the platform itself acted: a comparison has settled an alarm. The id of the merchant’s user in `user.change_password`.',
    }),
    action: z.string().meta({ example: 'withdrawal.reject' }),
    subjectId: id.meta({ description: 'What was changed: a merchant, a withdrawal, a dispute …' }),
    before: facts,
    after: facts,
    reason: nullableText.meta({ description: 'In the operator’s words.' }),
    hash: z.string().meta({ description: 'SHA-256 over all of the row and the hash of the row before it.' }),
  })
  .meta({ id: 'AuditRow' });

export type AuditRowView = z.infer<typeof auditRow>;

const auditQuery = z
  .strictObject({
    operatorId: idOf().optional(),
    action: text(64).optional(),
    subjectId: idOf().optional(),
    ...period,
    ...page,
  })
  .check(daysInZone);

export type AuditQuery = z.infer<typeof auditQuery>;

const auditVerification = chainVerification.extend(anchorFields).meta({ id: 'AuditVerification' });

export type AuditVerificationView = z.infer<typeof auditVerification>;

const listing = {
  access: everyRole,
  description:
    'One row for each change, written along with it or not at all, and never changed or deleted afterwards.',
  query: auditQuery,
  data: auditRow,
  paged: true,
} as const;

/** Returns the endpoints of a service's audit log. */
function auditLogOf<const S extends ServiceName>(service: S) {
  return endpointsOf(service, {
    list: {
      ...listing,
      route: `GET /v1/admin/${service}/audit-log`,
      summary: `List what operators have changed in ${service}, newest first`,
    },
    verify: {
      route: `GET /v1/admin/${service}/audit-log/verify`,
      // It asks the service, and compares with what it keeps outside of that one's database.
      service: 'gateway',
      access: everyRole,
      summary: `Check that no row of the audit log of ${service} was tampered with`,
      description:
        'Every row’s hash is computed again, and must name the hash of the row before it. What was changed, taken out or put ' +
        'in between is found. Nothing here can tell rows that were appended with the service’s own credentials, and rows ' +
        'cut off at the end only by what is kept elsewhere. Every other service keeps the hash of the last row of each hour; in ' +
        'each call all of them are asked, at least two must answer, and where one does not fit the log is not intact. What ' +
        'takes too long for one call is gone on with by the next.',
      query: chainQuery(10_000, 50_000),
      data: auditVerification,
    },
  } as const satisfies Record<string, Definition>);
}

export type AuditLogEndpoints = ReturnType<typeof auditLogOf<ServiceName>>;

export const auditLogs = {
  gateway: auditLogOf('gateway'),
  charges: auditLogOf('charges'),
  withdrawals: auditLogOf('withdrawals'),
  ledger: auditLogOf('ledger'),
  webhooks: auditLogOf('webhooks'),
} as const satisfies Record<ServiceName, AuditLogEndpoints>;

export const auditLogEndpoints = {
  ...endpointsOf('gateway', {
    /** The gateway’s, under the name operators look for first. */
    listAuditLog: {
      ...listing,
      route: 'GET /v1/admin/audit-log',
      summary: auditLogs.gateway.list.summary,
      description: 'The same as /v1/admin/gateway/audit-log: merchants, their settings, and operators.',
    },
  } as const satisfies Record<string, Definition>),
  listAuditLogOfGateway: auditLogs.gateway.list,
  verifyAuditLogOfGateway: auditLogs.gateway.verify,
  listAuditLogOfCharges: auditLogs.charges.list,
  verifyAuditLogOfCharges: auditLogs.charges.verify,
  listAuditLogOfWithdrawals: auditLogs.withdrawals.list,
  verifyAuditLogOfWithdrawals: auditLogs.withdrawals.verify,
  listAuditLogOfLedger: auditLogs.ledger.list,
  verifyAuditLogOfLedger: auditLogs.ledger.verify,
  listAuditLogOfWebhooks: auditLogs.webhooks.list,
  verifyAuditLogOfWebhooks: auditLogs.webhooks.verify,
} as const satisfies Record<string, Endpoint>;
