import { currentContext, IDENTITY_HEADER, type Identity, type Log, type Signer } from '@plataforma/chassis';
import type { ServiceName } from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';
import type { Request, Response } from 'express';
import { circuitTo } from './circuit.ts';

/** Forwards a request to its service as `who`. */
export type Forward = (service: ServiceName, who: Identity) => (req: Request, res: Response) => Promise<void>;

interface ProxyOptions {
  targets: Record<Exclude<ServiceName, 'gateway'>, string>;
  signer: Signer;
  log: Log;
}

/** Headers that say who calls, or from where: rebuilt by us, never taken from outside. */
const REBUILT = /^(x-internal-.*|x-forwarded-.*|x-real-ip|forwarded|x-api-key|authorization|cookie)$/;
/** Headers about the caller's connection to us (RFC 9110, 7.6.1); ours to the service is another one. */
const HOP_BY_HOP = /^(connection|keep-alive|proxy-.*|te|trailer|upgrade|expect)$/;

/** A circuit to each service. While one is open its callers hear 503 at once. */
export function createForward({ targets, signer, log }: ProxyOptions): {
  forward: Forward;
  close: () => void;
} {
  const circuits = new Map(
    Object.entries(targets).map(([service, target]) => [service, circuitTo({ service, target, log })]),
  );
  return {
    forward: (service, who) => async (req, res) => {
      const circuit = circuits.get(service);
      if (!circuit) throw new Error(`no address is configured for ${service}`);
      rebuildHeaders(req, signer.sign(who, service));
      try {
        await circuit.send(req, res);
      } catch {
        if (res.headersSent) req.socket.destroy();
        else throw unanswered(req);
      }
    },
    close: () => {
      for (const circuit of circuits.values()) circuit.close();
    },
  };
}

/** Whether the service did it is not known here. */
function unanswered({ method }: Request): Refusal {
  const again =
    method === 'GET'
      ? 'try again shortly'
      : 'no answer came: send it again with the same externalId or Idempotency-Key, or look first whether it was done';
  return new Refusal('unavailable', 'SERVICE_UNAVAILABLE', again);
}

function rebuildHeaders(req: Request, identity: string): void {
  for (const name of Object.keys(req.headers)) {
    if (REBUILT.test(name) || HOP_BY_HOP.test(name)) delete req.headers[name];
  }
  const context = currentContext();
  req.headers[IDENTITY_HEADER] = identity;
  if (context)
    Object.assign(req.headers, { 'x-request-id': context.requestId, traceparent: context.traceparent });
}
