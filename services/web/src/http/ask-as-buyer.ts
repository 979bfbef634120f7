import { whenClosed } from '@plataforma/http';
import { siteOf } from '@plataforma/kernel/addresses';
import type { Request, Response } from 'express';
import type { GatewayRequest } from '../gateway.ts';
import type { WebParts } from '../parts.ts';
import { callerHeaders } from './forwarded-headers.ts';

/** Sends a buyer's request in a slot of the buyer's network, and reads the whole answer. It ends with its caller. */
export function askAsBuyer(
  { buyers, addressOf }: WebParts,
  { req, res }: { req: Request; res: Response },
  request: Omit<GatewayRequest, 'headers'>,
) {
  const headers = { ...callerHeaders(addressOf, req, res), 'content-type': 'application/json' };
  const { inSlot, gateway } = request.method === 'GET' ? buyers.pages : buyers.forms;
  const hungUp = new AbortController();
  whenClosed(res, () => hungUp.abort());
  const { signal } = hungUp;
  return inSlot({ network: siteOf(addressOf(req)) }, () => gateway.ask({ ...request, headers, signal }));
}
