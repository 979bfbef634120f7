import type { AuditLogEndpoints } from '@plataforma/contracts';
import { type Database, listAudit, verifyAudit } from '@plataforma/data';
import type { IRouter } from 'express';
import type { Verifier } from './identity.ts';
import { pageOf } from './pages.ts';
import { serveOperator } from './serve.ts';

interface AuditRoutes {
  verifier: Verifier;
  database: Database;
  endpoints: AuditLogEndpoints;
}

/**
 * What operators may read of a service's audit log. Mounted before `/v1/admin/<service>/:id`, which would take its path
 * for an id.
 */
export function auditRoutes(router: IRouter, { verifier, database, endpoints }: AuditRoutes): void {
  serveOperator(router, endpoints.list, {
    verifier,
    answer: async ({ query }) => pageOf(await listAudit(database, query), query, (row) => row),
  });
  serveOperator(router, endpoints.verify, {
    verifier,
    answer: async ({ query }) => ({ data: await verifyAudit(database, query) }),
  });
}
