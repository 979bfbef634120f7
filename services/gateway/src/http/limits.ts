import type { ServerResponse } from 'node:http';
import type { AddressOf, HttpRequest } from '@plataforma/http';
import { type Environment, Refusal } from '@plataforma/kernel';
import { networkOf, siteOf } from '@plataforma/kernel/addresses';
import { comeFrom } from '@plataforma/observe';
import { LRUCache } from 'lru-cache';
import { RateLimiterRes } from 'rate-limiter-flexible';

/**
 * Limits the requests of each caller. All methods throw RATE_LIMITED above the limit. Each replica counts
 * only its own requests, because a shared counter would delay the refusal of ambiguous requests.
 */
export interface Limits {
  /**
   * Counts a request as `cost` requests of its address. The count comes before the check of the credentials,
   * to limit guesses. The request's SQL statements then queue with those of its network.
   */
  byAddress(req: HttpRequest, cost: number): void;
  /** Counts a request of one API key or session. */
  count(req: HttpRequest, caller: string): void;
  /**
   * Counts a request of a merchant, over all its API keys and sessions, unless it exceeded the limit of its
   * key. Requests that may store data in a sandbox also have a daily limit. Account changes, such as new API
   * keys, have a separate daily limit; each session may use half of it.
   */
  countMerchant(req: HttpRequest, caller: string, merchant: CountedMerchant): void;
}

interface CountedMerchant {
  merchantId: string;
  environment?: Environment;
}

interface LimitOptions {
  /** The limit of requests per second of one API key or session. */
  perKey: number;
  perMerchant: number;
  /** The daily limit of requests that may store data in a merchant's sandbox, or of its account changes. */
  sandboxWritesADay: number;
  perAddress: number;
  addressOf: AddressOf;
}

/** The length of the window. A caller may send the requests of ten seconds at once. */
const WINDOW_SECONDS = 10;

const DAY_SECONDS = 86_400;

export function createLimits(options: LimitOptions): Limits {
  const { perKey, perMerchant, perAddress, sandboxWritesADay, addressOf } = options;
  const ofAddress = limiterOf(perAddress * WINDOW_SECONDS);
  const ofKey = limiterOf(perKey * WINDOW_SECONDS);
  const ofMerchant = limiterOf(perMerchant * WINDOW_SECONDS, { isToShow: isLessThanShown });
  const ofSandbox = limiterOf(sandboxWritesADay, { seconds: DAY_SECONDS, isToShow: () => false });
  const ofAccount = limiterOf(sandboxWritesADay, { seconds: DAY_SECONDS, isToShow: () => false });
  // A session may use half of the changes, so that a thief leaves half to the owner's next session.
  const ofSession = limiterOf(Math.ceil(sandboxWritesADay / 2), {
    seconds: DAY_SECONDS,
    isToShow: () => false,
  });
  return {
    byAddress(req, cost) {
      const address = addressOf(req);
      comeFrom(siteOf(address));
      ofAddress(req, networkOf(address), cost);
    },
    count: (req, caller) => ofKey(req, caller, 1 + costOfBody(req)),
    countMerchant(req, caller, { merchantId, environment }) {
      // Each environment has its own count, so that many sandbox requests do not use up the limit of
      // production.
      ofMerchant(req, `${merchantId} ${environment}`, 1 + costOfBody(req));
      if (environment === 'sandbox' && !READS.has(req.method ?? '')) ofSandbox(req, merchantId);
      if (environment === undefined && isAccountChange(req)) {
        ofSession(req, caller);
        ofAccount(req, merchantId);
      }
    },
  };
}

/** The rate limits count a body as one more request for each full block of this many bytes. */
const BODY_BYTES = 8 * 1024;
/**
 * The maximum cost of a body, in requests. The largest JSON body has this cost, and even a larger file costs
 * no more.
 */
const MOST_FOR_BODY = 12;
export function costOfBody({ headers }: HttpRequest): number {
  // A body without a length may be as large as the endpoint allows.
  if (headers['transfer-encoding'] !== undefined) return MOST_FOR_BODY;
  const bytes = Number(headers['content-length'] ?? 0) || 0;
  return Math.min(Math.floor(bytes / BODY_BYTES), MOST_FOR_BODY);
}

const READS = new Set(['GET', 'HEAD']);

/**
 * Returns whether a request of a session may store data of its account. Requests that end access do not
 * count, so that a thief with a session cannot prevent them.
 */
function isAccountChange({ method = '', url = '' }: HttpRequest): boolean {
  return ['POST', 'PATCH'].includes(method) && !/^\/v1\/auth\//i.test(url);
}

function limiterOf(points: number, { seconds = WINDOW_SECONDS, isToShow = isAlways } = {}) {
  const windows = new LRUCache<string, { taken: number }>({ ttl: seconds * 1000, ttlAutopurge: true });
  return ({ res }: HttpRequest, key: string, cost = 1): void => {
    if (!res) return;
    const window = windows.get(key) ?? { taken: 0 };
    if (window.taken === 0) windows.set(key, window);
    window.taken += cost;
    const left = Math.max(points - window.taken, 0);
    const state = new RateLimiterRes(left, windows.getRemainingTTL(key), window.taken);
    if (window.taken > points) throw refusalOf(res, points, state);
    if (isToShow(res, left)) showLimit(res, points, state);
  };
}

const isAlways: (res: ServerResponse, left: number) => boolean = () => true;

function isLessThanShown(res: ServerResponse, left: number): boolean {
  return left < Number(res.getHeader('RateLimit-Remaining'));
}

/**
 * Converts the rejection of a rate limiter to a Refusal and sets its headers. Throws any other error
 * unchanged.
 */
export function refusalOf(res: ServerResponse, points: number, exceeded: unknown): Refusal {
  if (!(exceeded instanceof RateLimiterRes)) throw exceeded;
  showLimit(res, points, exceeded);
  const seconds = secondsOf(exceeded);
  res.setHeader('Retry-After', seconds);
  return new Refusal('limited', 'RATE_LIMITED', `too many requests; try again in ${seconds} seconds`);
}

function showLimit(res: ServerResponse, points: number, state: RateLimiterRes): void {
  res.setHeader('RateLimit-Limit', points);
  res.setHeader('RateLimit-Remaining', state.remainingPoints);
  res.setHeader('RateLimit-Reset', secondsOf(state));
}

function secondsOf({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}
