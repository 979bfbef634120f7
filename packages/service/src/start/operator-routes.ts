import { auditRoutes, operatorOf } from '@plataforma/http';
import { deadLetterRoutes } from '@plataforma/messaging';
import type { Express } from 'express';
import type { Subscription } from './messages.ts';
import type { Core, OperatorAccess } from './service.ts';

interface OperatorRoutes {
  core: Core<unknown>;
  operators: OperatorAccess | undefined;
  subscription: Subscription | undefined;
}

/** What operators read and mend of any service: its audit log, and the dead letters of one that subscribes to events. */
export function operatorRoutes(app: Express, { core, operators, subscription }: OperatorRoutes): void {
  if (!operators) return;
  const { database, log } = core;
  const { verifier, auditLog, deadLetters } = operators;
  auditRoutes(app, { verifier, database, endpoints: auditLog });
  if (!subscription) return;
  const { apply, inspector } = subscription;
  deadLetterRoutes(app, {
    ...{ database, log, apply, inspector, endpoints: deadLetters },
    operatorOf: (req, endpoint) => operatorOf(req, verifier, endpoint),
  });
}
