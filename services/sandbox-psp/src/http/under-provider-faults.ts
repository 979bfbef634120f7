import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSlots, whenClosed } from '@plataforma/http';
import { isUuid } from '@plataforma/kernel';
import { SANDBOX_MERCHANT } from '@plataforma/service';
import type { IRouter, Request, RequestHandler, Response } from 'express';
import type { SandboxPspDependencies } from '../dependencies.ts';
import type { ProviderFaults } from '../domain/provider-faults.ts';
import { findProviderFaults, losesAnswer } from '../store/provider-faults.ts';
import { findCardClient, findClient } from './authenticate.ts';

/**
 * The routes to which the faults of each provider apply. The faults do not apply to browsers that create card
 * tokens, nor to payers' banks that read QR codes.
 */
const routes = {
  pix: ['/v2/cob', '/v2/pix', '/v2/gn/infracoes'],
  card: ['/core/v5/orders', '/core/v5/charges'],
  payout: ['/v2/gn/pix', '/v3/gn/pix'],
} as const satisfies Partial<Record<keyof ProviderFaults, readonly string[]>>;

/**
 * The limits of concurrent slow calls. One merchant may use only a few slots, so that its slow calls do not
 * take the connections of other merchants.
 */
const SLOTS = { total: 200, perHolder: 8 };

/**
 * Applies a merchant's provider faults to the platform's calls for the merchant. Only authenticated calls
 * whose header names the merchant are affected.
 */
export function underProviderFaults(
  router: IRouter,
  { database, clients, slowMs }: SandboxPspDependencies,
): void {
  const takeSlot = createSlots(SLOTS);

  /**
   * Takes one of the merchant's slots and delays the call. Returns false at once if the merchant has no free
   * slot.
   */
  async function waitFor(merchantId: string, res: Response): Promise<boolean> {
    const giveBack = takeSlot(merchantId);
    if (!giveBack) return false;
    whenClosed(res, giveBack);
    await sleep(slowMs);
    return true;
  }

  const meet =
    (provider: keyof typeof routes, find = findClient): RequestHandler =>
    async (req, res, next) => {
      const merchantId = find(req, clients) && merchantOf(req);
      if (merchantId === undefined) return next();
      const state = (await findProviderFaults(database, merchantId))[provider];
      const isAnswered = state === 'slow' ? await waitFor(merchantId, res) : state !== 'down';
      if (!isAnswered) return answerUnavailable(res);
      const maySend = state !== 'unknown' || req.method === 'GET';
      if (!maySend && (await losesAnswer(database, merchantId, digestOf(req)))) res.end = () => res.destroy();
      next();
    };

  router.use([...routes.pix], meet('pix'));
  router.use([...routes.card], meet('card', findCardClient));
  router.use([...routes.payout], meet('payout'));
}

/** Returns the merchant's id in the header of the platform's call; undefined if the header is missing. */
function merchantOf(req: Request): string | undefined {
  const merchantId = req.get(SANDBOX_MERCHANT) ?? '';
  return isUuid(merchantId) ? merchantId : undefined;
}

function answerUnavailable(res: Response): void {
  res.status(503).setHeader('Retry-After', '2').json({ message: 'Serviço indisponível.' });
}

/**
 * Returns a hash of method, URL and idempotency key. A repeated order has the same hash, so only its first
 * answer is lost.
 */
function digestOf(req: Request): Buffer {
  const call = [req.method, req.originalUrl, req.get('idempotency-key') ?? ''].join(' ');
  return createHash('sha256').update(call).digest();
}
