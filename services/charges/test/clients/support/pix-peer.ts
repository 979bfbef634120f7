import { createLog } from '@plataforma/observe';
import { createPixClient, type PixAccount, type PixClient } from '../../../src/pix/pix-client.ts';
import { json, type Peer, startPeer } from './peer.ts';

export interface PixPeer extends Peer {
  client: PixClient;
  /** A client with a short timeout, for answers that never arrive. */
  shortTimeout: PixClient;
  logged: string[];
}

export const account = {
  clientId: 'plataforma',
  clientSecret: 'segredo-do-provedor',
  pixKey: 'recebedor@plataforma.test',
  merchantName: 'Plataforma',
  merchantCity: 'Sao Paulo',
  supportsRefunds: true,
  timeoutMs: 5_000,
};

/**
 * The timeout for tests in which the provider never answers. A request that arrived after the timeout would
 * get the answer for the next request, so the timeout is long enough for a busy machine.
 */
const SHORT_TIMEOUT_MS = 1_500;

/** Starts a Pix provider that gives a token to every caller, and clients with an account at this provider. */
export async function startPixPeer(changes: Partial<PixAccount> = {}): Promise<PixPeer> {
  const logged: string[] = [];
  const log = createLog({
    service: 'charges',
    level: 'debug',
    destination: { write: (line) => void logged.push(line) },
  });
  const peer = await startPeer(({ path }) =>
    path === '/oauth/token' ? json(200, { access_token: 'a-token', expires_in: 3600 }) : undefined,
  );
  const own = { ...account, baseUrl: peer.url, ...changes };
  const client = createPixClient(own, { log });
  const shortTimeout = createPixClient({ ...own, timeoutMs: SHORT_TIMEOUT_MS }, { log });
  return { ...peer, client, shortTimeout, logged };
}

export const problem = (status: number, fields: Record<string, unknown> = {}) =>
  json(status, {
    type: 'https://pix.bcb.gov.br/api/v2/error/PixDevolucaoInvalida',
    title: 'Devolução inválida',
    status,
    ...fields,
  });
