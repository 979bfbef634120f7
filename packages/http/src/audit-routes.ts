import type { AuditLogEndpoints } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import { listAudit, verifyAudit } from '@plataforma/tables';
import type { IRouter } from 'express';
import type { Verifier } from './identity.ts';
import { pageOf } from './pages.ts';
import { requireService } from './principals.ts';
import { serveOperator } from './serve.ts';
import { validate } from './validation.ts';

interface AuditRoutes {
  verifier: Verifier;
  database: Database;
  endpoints: AuditLogEndpoints;
}

/**
 * Serves a service's audit log to operators. Mount these routes before `/v1/admin/<service>/:id`, because
 * that route would read their path as an id.
 */
export function auditRoutes(router: IRouter, { verifier, database, endpoints }: AuditRoutes): void {
  serveOperator(router, endpoints.list, {
    verifier,
    answer: async ({ query }) => pageOf(await listAudit(database, query), query, (row) => row),
  });
  router.get('/internal/audit-log/verify', async (req, res) => {
    requireService(req, verifier, 'gateway');
    res.json({
      success: true,
      data: await verifyAudit(database, validate(endpoints.verify.query, req.query)),
    });
  });
  serveOperator(router, endpoints.verify, {
    verifier,
    // The gateway fills in both empty fields: it asks the services that keep the newest hashes of this audit
    // log.
    answer: async ({ query }) => ({
      data: { ...(await verifyAudit(database, query)), keptBy: [], anchored: null },
    }),
  });
}
