import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Certificate } from '../certificates.ts';

export interface Loopback {
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts an HTTP server on a free port of this machine. If a certificate is given, the server accepts only
 * TLS.
 */
export async function startLoopback(
  receive: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  certificate?: Certificate,
): Promise<Loopback> {
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    receive(request, response).catch(() => response.destroy());
  };
  const server = certificate ? createSecureServer(certificate, listener) : createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return {
    url: `${certificate ? 'https' : 'http'}://127.0.0.1:${address.port}`,
    async stop() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
