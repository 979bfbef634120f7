import type { AuditLogEndpoints } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import { listAudit, verifyAudit } from '@plataforma/tables';
import type { IRouter } from 'express';
import type { Verifier } from './identity.ts';
import { pageOf } from './pages.ts';
import { requireService, serveOperator } from './serve.ts';
import { validate } from './validation.ts';

interface AuditRoutes {
  verifier: Verifier;
  database: Database;
  endpoints: AuditLogEndpoints;
}

/**
 * Serves a service's audit log to operators. Mount it before `/v1/admin/<service>/:id`, which would take its
 * path for an id.
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
    // Operators ask the gateway, which fills in both fields from the services that keep this chain's heads.
    answer: async ({ query }) => ({
      data: { ...(await verifyAudit(database, query)), keptBy: [], anchored: null },
    }),
  });
}
