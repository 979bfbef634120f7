import type { Database } from '@plataforma/data';
import { demandService, type Router, type Verifier } from '@plataforma/http';
import { isUuid, Refusal } from '@plataforma/kernel';
import { snapshotOf } from '../domain/announcement.ts';
import { activeOperators } from '../store/operators.ts';
import { findOrganization } from '../store/organizations.ts';

/** What the other services may ask; on a port of its own that nothing outside reaches. */
export function internalRoutes(router: Router, parts: { database: Database; verifier: Verifier }): void {
  router.get('/internal/merchants/:id', async (req, res) => {
    demandService(req, parts.verifier);
    const id = String(req.params.id);
    const organization = isUuid(id) ? await findOrganization(parts.database, id) : null;
    if (!organization) throw new Refusal('missing', 'NOT_FOUND', 'there is no merchant with this id');
    res.json({ success: true, data: snapshotOf(organization) });
  });
  router.get('/internal/operators', async (req, res) => {
    demandService(req, parts.verifier);
    res.json({ success: true, data: await activeOperators(parts.database) });
  });
}
