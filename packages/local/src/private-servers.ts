import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { type RabbitmqServer, startPrivateRabbitmq } from './private-rabbitmq.ts';
import type { OwnServer } from './server.ts';

/** A server of a test's own. */
export type PrivateServer = OwnServer;
export type PrivateBroker = RabbitmqServer;

export function startPrivatePostgres(dir: string): Promise<PrivateServer> {
  return startEmbeddedPostgres(dir);
}

/** A queue survives `kill` only if it was declared some five seconds before. */
export function startPrivateBroker(dir: string): Promise<PrivateBroker> {
  return startPrivateRabbitmq({ dir, vhosts: 0, say: () => {} });
}
