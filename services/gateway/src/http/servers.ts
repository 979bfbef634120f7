import { cameByHttps, type Router, readBody, requireService, validate } from '@plataforma/http';
import { isUuid, Refusal } from '@plataforma/kernel';
import { addressList } from '@plataforma/kernel/addresses';
import { connectionLimitOf, loneDecision, type Server } from '@plataforma/service';
import type { GatewayDependencies } from '../dependencies.ts';
import { snapshotOf } from '../domain/announcement.ts';
import { countDecision, requireOwnDecision } from '../operations/count-decision.ts';
import { activeOperators } from '../store/operators.ts';
import { readOrganization } from '../store/organizations.ts';
import { type Audience, servedRoutes } from './routes.ts';

/**
 * The maximum number of bytes of the request line and the headers together. It is below the services' limit,
 * because the gateway adds headers.
 */
const MAX_HEAD_BYTES = 16 * 1024;

/** Returns the internal listener, the operators' listener if `ADMIN_PORT` is set, and the public listener. */
export function servers(dependencies: GatewayDependencies) {
  const { config } = dependencies;
  const listening = { stalledAfterMs: config.STALLED_AFTER_MS, maxHeadBytes: MAX_HEAD_BYTES };
  const open = (port: number, audience: Audience): Server => ({
    ...{ port, ...listening, connectionLimit: connectionLimitOf(config), beginsTraces: true },
    isHttps: cameByHttps(addressList(config.TRUSTED_PROXIES)),
    ...servedRoutes(dependencies, audience),
  });
  const internal: Server = {
    ...{ port: config.INTERNAL_PORT, ...listening, connectionLimit: null },
    mount: (app) => internalRoutes(app, dependencies),
  };
  const admin = config.ADMIN_PORT === undefined ? undefined : open(config.ADMIN_PORT, 'operators');
  return { internal, admin, main: open(config.PORT, admin ? 'merchants' : 'everybody') };
}

/** Serves other services, on a port that is not reachable from outside the installation. */
function internalRoutes(router: Router, dependencies: GatewayDependencies): void {
  router.get('/internal/merchants/:id', async (req, res) => {
    requireService(req, dependencies.verifier);
    const id = String(req.params.id);
    const organization = isUuid(id) ? await readOrganization(dependencies.database, id) : null;
    if (!organization) throw new Refusal('missing', 'NOT_FOUND', 'there is no merchant with this id');
    res.json({ success: true, data: snapshotOf(organization) });
  });
  router.get('/internal/operators', async (req, res) => {
    requireService(req, dependencies.verifier);
    res.json({ success: true, data: await activeOperators(dependencies.database, dependencies.config) });
  });
  router.post('/internal/operator-sums', readBody(), async (req, res) => {
    const service = requireService(req, dependencies.verifier, 'charges', 'withdrawals');
    const decision = validate(loneDecision, req.body ?? {});
    requireOwnDecision(service, decision);
    const isCounted = await countDecision(dependencies, decision);
    res.json({ success: true, data: { isCounted } });
  });
}
