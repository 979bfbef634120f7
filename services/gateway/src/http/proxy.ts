import { Agent } from 'node:http';
import { currentContext, IDENTITY_HEADER, type Signer } from '@plataforma/chassis';
import type { ServiceName } from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';
import type { Request, Response } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import CircuitBreaker from 'opossum';
import type { Merchant } from './authenticate.ts';

/** Forwards a request to its service as `who`; null for a caller without an account. */
export type Forward = (
  service: ServiceName,
  who: Merchant | null,
) => (req: Request, res: Response) => Promise<void>;

interface ProxyOptions {
  targets: Record<Exclude<ServiceName, 'gateway'>, string>;
  signer: Signer;
}

const ANSWER_TIMEOUT_MS = 25_000;
const MAX_SOCKETS = 256;
/** Shorter than the services keep a connection, so that we never send on one that is being closed. */
const IDLE_SOCKET_MS = 30_000;
const BREAKER = {
  timeout: false,
  errorThresholdPercentage: 50,
  volumeThreshold: 20,
  resetTimeout: 1_000,
} as const;

/** Headers that say who calls, or from where: rebuilt by us, never taken from outside. */
const REBUILT = /^(x-internal-.*|x-forwarded-.*|x-real-ip|forwarded|x-api-key|authorization|cookie)$/;

/** A keep-alive connection pool and a circuit to each service. While a circuit is open callers hear 503 at once. */
export function createForward({ targets, signer }: ProxyOptions): Forward {
  const circuits = new Map(Object.entries(targets).map(([service, url]) => [service, circuitTo(url)]));

  return (service, who) => async (req, res) => {
    const circuit = circuits.get(service);
    if (!circuit) throw new Error(`no address is configured for ${service}`);
    const identity = signer.sign(who ? { kind: 'merchant', ...who } : { kind: 'anonymous' }, service);
    rebuildHeaders(req, identity);
    try {
      await circuit.fire(req, res);
    } catch {
      if (res.headersSent) req.socket.destroy();
      else throw new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'try again shortly; nothing is lost');
    }
  };
}

/** The circuit counts what never became an answer; an answer, whatever it says, is a success. */
function circuitTo(target: string): CircuitBreaker<[Request, Response], void> {
  const proxy = createProxyMiddleware<Request, Response>({
    target,
    agent: new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS, timeout: IDLE_SOCKET_MS }),
    proxyTimeout: ANSWER_TIMEOUT_MS,
    xfwd: false,
    // The stock plugins answer errors in their own words. Without them, and without a listener for 'error',
    // a failure rejects the promise below; with one it would vanish into the listener.
    ejectPlugins: true,
  });
  const send = async (req: Request, res: Response) => {
    try {
      await proxy(req, res);
    } catch (error) {
      // A caller that hung up says nothing about the service.
      if (!req.socket.destroyed) throw error;
    }
  };
  return new CircuitBreaker(send, BREAKER);
}

function rebuildHeaders(req: Request, identity: string): void {
  for (const name of Object.keys(req.headers)) if (REBUILT.test(name)) delete req.headers[name];
  const context = currentContext();
  req.headers[IDENTITY_HEADER] = identity;
  if (context)
    Object.assign(req.headers, { 'x-request-id': context.requestId, traceparent: context.traceparent });
}
