import { auditRoutes, operatorOf } from '@plataforma/http';
import { deadLetterRoutes } from '@plataforma/messaging';
import type { Express } from 'express';
import type { Chain } from '../anchors/chain.ts';
import { chainRoutes } from '../anchors/chain-routes.ts';
import type { Subscription } from './messages.ts';
import type { Core, OperatorAccess } from './service.ts';

interface OperatorRoutes {
  core: Core<unknown>;
  operators: OperatorAccess | undefined;
  subscription: Subscription | undefined;
  chains: readonly Chain[];
}

/**
 * What operators read and mend of any service: its audit log, and the dead letters of one that subscribes to events; and what the gateway
 * asks about chains for them.
 */
export function operatorRoutes(
  app: Express,
  { core, operators, subscription, chains }: OperatorRoutes,
): void {
  if (!operators) return;
  const { database, log } = core;
  const { verifier, auditLog, deadLetters } = operators;
  auditRoutes(app, { verifier, database, endpoints: auditLog });
  if (chains.length > 0) chainRoutes(app, { verifier, database, chains });
  if (!subscription) return;
  const { apply, inspector } = subscription;
  deadLetterRoutes(app, {
    ...{ database, log, apply, inspector, endpoints: deadLetters },
    operatorOf: (req, endpoint) => operatorOf(req, verifier, endpoint),
  });
}
