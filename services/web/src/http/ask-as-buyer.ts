import { networkOf } from '@plataforma/kernel/addresses';
import type { Request, Response } from 'express';
import type { GatewayRequest } from '../gateway.ts';
import type { WebParts } from '../parts.ts';
import { callerHeaders } from './forwarded-headers.ts';

/** Sends a buyer's request in a slot of the buyer's network, and reads the whole answer. */
export function askAsBuyer(
  { buyersGateway, inBuyerSlot, addressOf }: WebParts,
  { req, res }: { req: Request; res: Response },
  request: Omit<GatewayRequest, 'headers'>,
) {
  const headers = { ...callerHeaders(addressOf, req, res), 'content-type': 'application/json' };
  const network = networkOf(addressOf(req));
  return inBuyerSlot({ network }, () => buyersGateway.ask({ ...request, headers }));
}
