import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { ANSWER_TIMEOUT_MS, IDLE_CONNECTION_MS, isGatewayHeader, type SendToService } from './forwarding.ts';

/** Passes on an answer as it arrives, no faster than the caller reads it. */
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
    // The standard plugins write their own error answers, so they are off; this function throws, and the
    // caller answers.
    ejectPlugins: true,
    plugins: [
      (server) => {
        // The proxy treats a handled error as a success, so `send` below throws the recorded failure.
        server.on('error', (error, _req, res) => void (res && failures.set(res, error)));
        // The caller's body has been read already, so the proxy has no stream to pipe.
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
      // A caller that hung up says nothing about the service.
      if (failure && !req.socket.destroyed) throw failure;
    },
    close: () => agent.destroy(),
  };
}

function keepPassable(answer: IncomingMessage, res: ServerResponse): void {
  for (const name of Object.keys(answer.headers)) if (isGatewayHeader(name)) delete answer.headers[name];
  // Without this header the proxy would copy that of the service's connection.
  const isKeptAlive = res.shouldKeepAlive && !res.hasHeader('connection');
  answer.headers.connection = isKeptAlive ? 'keep-alive' : 'close';
}
