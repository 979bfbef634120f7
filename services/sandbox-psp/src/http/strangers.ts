import { type Bulkhead, clientAddress } from '@plataforma/http';
import { addressList, siteOf } from '@plataforma/kernel/addresses';
import { comeFrom } from '@plataforma/observe';
import type { Request, RequestHandler, Response } from 'express';
import type { SandboxPspConfig } from '../config.ts';

type Answer<P> = (req: Request<P>, res: Response) => Promise<unknown>;

/**
 * Wraps a route for callers without credentials. Their requests share a limited number of slots for each IP
 * network. Their SQL statements wait in a queue for each network, so that they do not delay the platform's
 * calls.
 */
export function forStrangers({ TRUSTED_PROXIES }: SandboxPspConfig, inSlot: Bulkhead) {
  const addressOf = clientAddress(addressList(TRUSTED_PROXIES));
  return <P>(answer: Answer<P>): RequestHandler<P> =>
    async (req, res) => {
      const network = siteOf(addressOf(req));
      comeFrom(network);
      await inSlot({ network }, () => answer(req, res));
    };
}
