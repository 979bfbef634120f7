import { z } from 'zod';
import { timestamp } from '../days.ts';
import { type Definition, type Endpoint, endpointsOf, everyRole, type ServiceName } from '../endpoint.ts';
import { count, id, idOf, nullableText, text } from '../fields.ts';
import { page } from '../paging.ts';
import { daysInZone, period } from '../period.ts';
import { anchorFields, chainQuery, chainVerification } from './chains.ts';

const facts = z.record(z.string(), z.unknown());

const auditRow = z
  .object({
    id,
    sequence: count.meta({ description: 'Number of the row in its service: 1, 2, 3 …' }),
    at: timestamp,
    operatorId: id.meta({
      description:
        'Id of the operator. The nil UUID means that the platform itself acted: a comparison resolved an ' +
        'alarm. For `user.change_password` this is the id of the merchant’s user.',
    }),
    action: z.string().meta({ example: 'withdrawal.reject' }),
    subjectId: id.meta({ description: 'Type of the changed object: a merchant, a withdrawal, a dispute …' }),
    before: facts,
    after: facts,
    reason: nullableText.meta({ description: 'Reason in the operator’s words.' }),
    hash: z.string().meta({ description: 'SHA-256 over the whole row and the hash of the previous row.' }),
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
    'Each change has one row. The row is written in the same transaction as the change and is never ' +
    'changed or deleted.',
  query: auditQuery,
  data: auditRow,
  paged: true,
} as const;

function auditLogOf<const S extends ServiceName>(service: S) {
  return endpointsOf(service, {
    list: {
      ...listing,
      route: `GET /v1/admin/${service}/audit-log`,
      summary: `List changes that operators made in ${service}, newest first`,
    },
    verify: {
      route: `GET /v1/admin/${service}/audit-log/verify`,
      // The gateway answers, because it compares the service's own result with the hashes that other services
      // store.
      service: 'gateway',
      access: everyRole,
      summary: `Verify the audit log of ${service}`,
      description:
        'Recomputes the hash of each row, which must include the hash of the previous row. The check ' +
        'finds changed, removed and inserted rows. The chain alone can’t reveal rows that were appended ' +
        'with the service’s own credentials. Only hashes stored elsewhere reveal rows cut off at the end. ' +
        'Every other service stores the hash of the last row of each hour. Each call queries all of them, ' +
        'and at least two must answer. If one hash does not match, the log is not intact. If a call runs ' +
        'out of time, the next call continues.',
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
    /** A second path for the gateway's audit log, because operators are likely to try this path first. */
    listAuditLog: {
      ...listing,
      route: 'GET /v1/admin/audit-log',
      summary: auditLogs.gateway.list.summary,
      description:
        'Returns the same rows as /v1/admin/gateway/audit-log: changes of merchants, their settings, and ' +
        'operators.',
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
