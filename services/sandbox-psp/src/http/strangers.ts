import { type Bulkhead, clientAddress } from '@plataforma/http';
import { addressList, siteOf } from '@plataforma/kernel/addresses';
import { comeFrom } from '@plataforma/observe';
import type { Request, RequestHandler, Response } from 'express';
import type { SandboxPspConfig } from '../config.ts';

type Answer<P> = (req: Request<P>, res: Response) => Promise<unknown>;

/**
 * Wraps a route for callers without credentials, so that they do not delay the platform's calls. Each IP
 * network gets a share of the slots and its own queue for SQL statements.
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
