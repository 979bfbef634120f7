import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLog } from '@plataforma/observe';
import { type Authority, createAuthority } from '@plataforma/testing';
import { createPixClient } from '../../src/pix/pix-client.ts';
import type { PixAccount } from '../../src/pix/pix-http.ts';
import { refusalOf, UNAVAILABLE } from './support/outcomes.ts';
import { account } from './support/pix-peer.ts';

const log = createLog({ service: 'charges', level: 'silent' });
let server: Server;
let baseUrl: string;
let authority: Authority;
let stranger: Authority;
/** The common name in the client certificate of each request. */
const commonNames: unknown[] = [];

beforeAll(async () => {
  authority = await createAuthority('A provider’s own authority');
  stranger = await createAuthority('Somebody else’s authority');
  const identity = await authority.issue('pix.provider.test');
  server = createServer({ ...identity, ca: authority.cert, requestCert: true, rejectUnauthorized: true });
  server.on('request', ({ socket, url }, response) => {
    if (isSecure(socket)) commonNames.push(socket.getPeerCertificate().subject.CN);
    const answer = url === '/oauth/token' ? { access_token: 'a-token', expires_in: 3600 } : {};
    response.writeHead(url === '/oauth/token' ? 200 : 404).end(JSON.stringify(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  baseUrl = address && typeof address === 'object' ? `https://127.0.0.1:${address.port}` : '';
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
});

const isSecure = (socket: unknown): socket is TLSSocket =>
  typeof socket === 'object' && socket !== null && 'getPeerCertificate' in socket;
const find = (tls?: PixAccount['tls']) =>
  createPixClient({ ...account, baseUrl, ...(tls ? { tls } : {}) }, { log }).find('a'.repeat(32));

describe('a provider that asks for a certificate', () => {
  test('answers a client that shows its certificate', async () => {
    const tls = { ...(await authority.issue('plataforma')), ca: authority.cert };

    expect(await find(tls)).toBeNull();
    expect(commonNames).toEqual(['plataforma', 'plataforma']);
  });

  test.each<[string, () => Promise<PixAccount['tls']>]>([
    ['presents none', async () => undefined],
    [
      'presents one of another authority',
      async () => ({ ...(await stranger.issue('plataforma')), ca: authority.cert }),
    ],
    [
      'does not trust the provider’s authority',
      async () => ({ ...(await authority.issue('plataforma')), ca: stranger.cert }),
    ],
    ['trusts only the machine’s authorities', async () => authority.issue('plataforma')],
  ])('is PROVIDER_UNAVAILABLE to a client that %s, and gets no request', async (_what, tls) => {
    commonNames.splice(0);

    expect(await refusalOf(find(await tls()))).toBe(UNAVAILABLE);
    expect(commonNames).toEqual([]);
  });
});
