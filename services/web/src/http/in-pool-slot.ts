import { whenClosed } from '@plataforma/http';
import { siteOf } from '@plataforma/kernel/addresses';
import type { Request, Response } from 'express';
import type { WebDependencies } from '../dependencies.ts';
import type { Gateway, GatewayRequest } from '../gateway.ts';
import { callerHeaders } from './forwarded-headers.ts';

/** Calls the gateway while the request occupies a slot of the caller's network. */
export function inPoolSlot<T>(
  { gatewayPools, addressOf }: WebDependencies,
  name: keyof WebDependencies['gatewayPools'],
  req: Request,
  work: (gateway: Gateway) => Promise<T>,
): Promise<T> {
  const { inSlot, gateway } = gatewayPools[name];
  return inSlot({ network: siteOf(addressOf(req)) }, () => work(gateway));
}

/**
 * Returns a signal that aborts when the caller disconnects. The signal cancels a gateway request or the wait
 * for a slot.
 */
export function untilClosed(res: Response): AbortSignal {
  const hungUp = new AbortController();
  whenClosed(res, () => hungUp.abort());
  return hungUp.signal;
}

/**
 * Sends a buyer's request in a slot of the buyer's network and reads the whole answer. The request is
 * cancelled when the buyer disconnects. A read is also cancelled after `pageAnswerMs`. A payment is not,
 * because a slow provider may still confirm it.
 */
export function askAsBuyer(
  dependencies: WebDependencies,
  { req, res }: { req: Request; res: Response },
  request: Omit<GatewayRequest, 'headers'>,
) {
  const headers = { ...callerHeaders(dependencies.addressOf, req, res), 'content-type': 'application/json' };
  const isRead = request.method === 'GET';
  const hungUp = untilClosed(res);
  const { pageAnswerMs } = dependencies.tuning;
  const signal = isRead ? AbortSignal.any([hungUp, AbortSignal.timeout(pageAnswerMs)]) : hungUp;
  return inPoolSlot(dependencies, isRead ? 'buyerPages' : 'buyerForms', req, (gateway) =>
    gateway.ask({ ...request, headers, signal }),
  );
}
