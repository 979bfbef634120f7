import { api } from '@plataforma/contracts';
import { pageOf, type Router, serveTo } from '@plataforma/http';
import { listAudit } from '@plataforma/tables';
import type { AccountParts } from './account-routes.ts';

/** What operators read of the gateway's own audit log, under either of its names. */
export function auditRoutes(router: Router, { database, authenticate }: AccountParts): void {
  for (const endpoint of [api.listAuditLog, api.listAuditLogOfGateway]) {
    serveTo(router, endpoint, {
      authenticate: (req) => authenticate.operator(req, endpoint),
      answer: async ({ query }) => pageOf(await listAudit(database, query), query, (row) => row),
    });
  }
}
