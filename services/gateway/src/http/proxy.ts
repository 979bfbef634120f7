import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServiceName } from '@plataforma/contracts';
import {
  type Bulkhead,
  callerClasses,
  type createOrderSigner,
  headerOf,
  IDENTITY_HEADER,
  type Identity,
  ORDER_HEADER,
  type Signer,
} from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import { asCall, type GaugeSample, type Log } from '@plataforma/observe';
import { metrics } from '../metrics.ts';
import { actorOf } from './authenticate.ts';
import { isTooLong } from './buffered-forward.ts';
import type { Answered } from './forwarding.ts';
import { linkToService, type PooledAnonymous } from './service-link.ts';

interface Forwarded {
  service: ServiceName;
  caller: Identity;
  /** For callers without an account: the pool and the network in which the request takes a slot. */
  anonymous?: PooledAnonymous | undefined;
  body: Buffer | null;
  /** Whether the gateway signs the request as an order of money. */
  isOrder?: boolean | undefined;
  mode: 'buffer' | 'stream' | 'wait';
  answered?: Answered | undefined;
  /**
   * A signal that aborts a long poll. The caller of the long poll then gets the signal's reason, a refusal.
   */
  ended?: AbortSignal;
}

/** Forwards a request to a service: its method, its path, a few of its headers, and its complete body. */
export type Forward = (req: IncomingMessage, res: ServerResponse, forwarded: Forwarded) => Promise<void>;

interface ProxyOptions {
  targets: Record<Exclude<ServiceName, 'gateway'>, string>;
  signer: Signer;
  signOrder: ReturnType<typeof createOrderSigner>;
  log: Log;
  longAnswers: Bulkhead;
}

/** The caller's headers that services receive. The gateway adds the caller's identity and address itself. */
const FORWARDED = ['accept', 'content-type', 'idempotency-key', 'user-agent'] as const;

/**
 * Opens a link to each service. A link has one circuit breaker for each class of callers. While a breaker is
 * open, callers of its class get 503 at once for this service.
 */
export function createForward({ targets, signer, signOrder, log, longAnswers }: ProxyOptions): {
  forward: Forward;
  readCircuits: () => GaugeSample[];
  endWaits: () => Promise<void>;
  close: () => Promise<void>;
} {
  const links = new Map(
    Object.entries(targets).map(([service, target]) => [
      service,
      linkToService({ service, target, log, longAnswers }),
    ]),
  );
  return {
    async forward(req, res, { service, caller, anonymous, body, isOrder, mode, answered, ended }) {
      if (res.closed || req.socket.destroyed) return;
      const link = links.get(service);
      if (!link) throw new Error(`no address is configured for ${service}`);
      const length = body ? { 'content-length': String(body.length) } : {};
      const order = isOrder && {
        [ORDER_HEADER]: signOrder(req, { identity: caller, actor: actorOf(req) }, body),
      };
      const headers = { ...headersFor(req, signer.sign(caller, service)), ...length, ...order };
      const call = { method: req.method ?? '', attributes: { 'peer.service': service } };
      try {
        await asCall(call, async (onward) => {
          const outgoing = { headers: { ...headers, ...onward }, body, answered, ended };
          await link[mode](anonymous ?? caller, req, res, outgoing);
          return { status: res.headersSent ? res.statusCode : undefined };
        });
      } catch (error) {
        if (res.headersSent) req.socket.destroy();
        else throw refusalOf(error, req);
      }
    },
    readCircuits: () =>
      [...links].flatMap(([to, { isOpen }]) =>
        callerClasses.map(
          (callers): GaugeSample =>
            metrics.gauge('plataforma_circuit_open', { to, callers }, isOpen(callers) ? 1 : 0),
        ),
      ),
    endWaits: async () => {
      await Promise.all([...links.values()].map((link) => link.endWaits()));
    },
    close: async () => {
      await Promise.all([...links.values()].map((link) => link.close()));
    },
  };
}

/**
 * Converts an error to a refusal. The gateway often does not know whether the service did the work, so the
 * message says how to retry.
 */
function refusalOf(error: unknown, { method }: IncomingMessage): Refusal {
  if (error instanceof Refusal) return error;
  if (isTooLong(error) && method === 'GET') {
    const message = 'the answer is longer than 4 MiB: ask for fewer at a time';
    return new Refusal('invalid', 'VALIDATION_ERROR', message);
  }
  const again =
    method === 'GET' || method === 'HEAD'
      ? 'try again shortly'
      : 'no answer arrived: send it again with the same externalId or Idempotency-Key, or first check the outcome';
  return new Refusal('unavailable', 'SERVICE_UNAVAILABLE', again);
}

function headersFor(req: IncomingMessage, identity: string): Record<string, string> {
  const headers: Record<string, string> = { [IDENTITY_HEADER]: identity };
  for (const name of FORWARDED) {
    const value = headerOf(req, name);
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}
