import { auditLogs, deadLetters } from '@plataforma/contracts';
import { isProducer } from '@plataforma/events';
import { auditRoutes, operatorOf } from '@plataforma/http';
import { deadLetterRoutes } from '@plataforma/messaging';
import type { Chain } from '@plataforma/tables';
import type { Express } from 'express';
import { chainRoutes } from '../chain-routes.ts';
import { appliedRoutes } from '../comparison/applied-routes.ts';
import type { BrokerLink, Subscription } from './messages.ts';
import type { Core } from './service.ts';

interface OperatorRoutes {
  name: string;
  core: Core<unknown>;
  subscription: Subscription | undefined;
  link: BrokerLink | undefined;
  chains: readonly Chain[];
}

/**
 * Serves the audit log and the dead letters to operators, the hash chains to the gateway, and the event
 * comparison to the producers.
 */
export function operatorRoutes(
  app: Express,
  { name, core, subscription, link, chains }: OperatorRoutes,
): void {
  if (!isProducer(name)) return;
  const { database, log, verifier } = core;
  auditRoutes(app, { verifier, database, endpoints: auditLogs[name] });
  if (chains.length > 0) chainRoutes(app, { verifier, database, chains });
  if (!subscription || !link) return;
  const { apply, signaturePolicy } = subscription;
  const { isBehind } = link;
  appliedRoutes(app, { verifier, database, subscriber: name, signaturePolicy, isBehind });
  deadLetterRoutes(app, {
    ...{ database, log, apply, signaturePolicy, endpoints: deadLetters[name] },
    operatorOf: (req, endpoint) => operatorOf(req, verifier, endpoint),
  });
}
