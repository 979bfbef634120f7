import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { ANSWER_TIMEOUT_MS, IDLE_CONNECTION_MS, isGatewayHeader, type SendToService } from './forwarding.ts';

/** Streams an answer to the caller as it arrives, no faster than the caller reads it. */
export function streamedForwardTo(
  target: string,
  maxSockets: number,
): { send: SendToService; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets, timeout: IDLE_CONNECTION_MS });
  const bodies = new WeakMap<object, Buffer>();
  const failures = new WeakMap<object, Error>();
  const proxy = createProxyMiddleware({
    target,
    agent,
    proxyTimeout: ANSWER_TIMEOUT_MS,
    xfwd: false,
    // The standard plugins would write their own error responses. Without them, `send` throws and its caller
    // writes the response.
    ejectPlugins: true,
    plugins: [
      (server) => {
        // The proxy counts a handled error as a success. So the error is stored here, and `send` below throws
        // it.
        server.on('error', (error, _req, res) => void (res && failures.set(res, error)));
        // The body of the request has been read before, so the proxy cannot pipe it from a stream.
        server.on('proxyReq', (onward, req) => onward.end(bodies.get(req)));
        server.on('proxyRes', (answer, _req, res) => keepPassable(answer, res));
      },
    ],
  });
  return {
    async send(req, res, { headers, body, ended }) {
      ended?.addEventListener('abort', () => res.destroy(), { once: true });
      if (body) bodies.set(req, body);
      req.headers = headers;
      await proxy(req, res, () => undefined);
      const failure = failures.get(res);
      // If the caller hung up, the error is no failure of the service.
      if (failure && !req.socket.destroyed) throw failure;
    },
    close: () => agent.destroy(),
  };
}

function keepPassable(answer: IncomingMessage, res: ServerResponse): void {
  for (const name of Object.keys(answer.headers)) if (isGatewayHeader(name)) delete answer.headers[name];
  // Without this line, the caller would get the `Connection` header of the proxy's own connection to the
  // service.
  const isKeptAlive = res.shouldKeepAlive && !res.hasHeader('connection');
  answer.headers.connection = isKeptAlive ? 'keep-alive' : 'close';
}
