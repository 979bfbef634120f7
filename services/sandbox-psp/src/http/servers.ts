import { readBody } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import { connectionLimitOf, type Server } from '@plataforma/service';
import type { Request, RequestHandler } from 'express';
import type { SandboxPspDependencies } from '../dependencies.ts';
import { cardRoutes } from './card-routes.ts';
import { chargeRoutes } from './charge-routes.ts';
import { controlFaultRoutes } from './control-fault-routes.ts';
import { controlRoutes } from './control-routes.ts';
import { gnRoutes } from './gn-routes.ts';
import { payloadRoutes } from './payload-routes.ts';
import { paymentRoutes } from './payment-routes.ts';
import { answerNothingHere, answerProblem } from './problems.ts';
import { providerFaultRoutes } from './provider-fault-routes.ts';
import { refundRoutes } from './refund-routes.ts';
import { tokenRoutes } from './token-routes.ts';
import { truthRoutes } from './truth-routes.ts';
import { underProviderFaults } from './under-provider-faults.ts';

/**
 * Refuses a change that was requested by a web page of another site, because such a page may be open in a
 * developer's browser.
 */
const refuseOtherSites: RequestHandler = (req, _res, next) => {
  const site = req.get('sec-fetch-site') ?? (isOfOrigin(req, req.get('origin')) ? 'none' : 'cross-site');
  if (req.method === 'GET' || ['none', 'same-origin'].includes(site)) return next();
  throw new Refusal(
    'forbidden',
    'FORBIDDEN',
    'a page of another site cannot change the bank: call it from a program',
  );
};

/**
 * Returns true if the request comes from this server's own page or from a program. Browsers without
 * `Sec-Fetch-Site` send the page's origin, and programs send no origin.
 */
function isOfOrigin(req: Request, origin: string | undefined): boolean {
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === req.get('host');
}

/** Returns true if the path contains NUL. PostgreSQL can't store NUL, so no stored id matches such a path. */
const hasNul = ({ path }: Request): boolean => path.includes('%00');

const refuseNul: RequestHandler = (req, _res, next) => {
  if (hasNul(req)) throw new Refusal('missing', 'NOT_FOUND', 'there is nothing with this id');
  next();
};

/** Returns two listeners: one for receivers and payers' banks, and one for the control API. */
export function servers(dependencies: SandboxPspDependencies) {
  const { database, clients, config, log } = dependencies;
  const main: Server = {
    connectionLimit: connectionLimitOf(config),
    mount(app, url) {
      app.use('/core/v5', (req, res, next) => (hasNul(req) ? answerNothingHere(req, res, next) : next()));
      const publicUrl = () => config.PUBLIC_URL ?? url();
      tokenRoutes(app, clients);
      underProviderFaults(app, dependencies);
      chargeRoutes(app, dependencies, publicUrl);
      paymentRoutes(app, dependencies);
      refundRoutes(app, dependencies);
      payloadRoutes(app, dependencies, publicUrl);
      gnRoutes(app, dependencies);
      cardRoutes(app, dependencies);
      app.use(answerNothingHere);
      app.use(answerProblem(log));
    },
  };
  const control: Server = {
    ...{ host: config.CONTROL_HOST, port: config.CONTROL_PORT, connectionLimit: null },
    hostNames: [
      ...(config.HOST_NAMES ?? []),
      ...(config.PUBLIC_URL ? [new URL(config.PUBLIC_URL).hostname] : []),
    ],
    mount(app) {
      app.use('/control', refuseOtherSites, refuseNul, readBody());
      controlRoutes(app, dependencies);
      providerFaultRoutes(app, database);
      controlFaultRoutes(app, database);
      truthRoutes(app, database);
    },
  };
  return { main, control };
}
