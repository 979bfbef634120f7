import type { ServerResponse } from 'node:http';
import type { HttpRequest } from '@plataforma/chassis';
import { Refusal } from '@plataforma/kernel';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf } from '../domain/address-list.ts';
import type { AddressOf } from './client-address.ts';

/** How much of this replica one caller may take. Each replica counts for itself. */
export interface Limits {
  /** By address, before anything is looked up: guessing is limited too. */
  byAddress(req: HttpRequest): Promise<void>;
  /** Counts a request of whoever has shown who it is; refuses with RATE_LIMITED. */
  count(req: HttpRequest, caller: string): Promise<void>;
}

interface LimitOptions {
  /** Requests a second, of one key or session, and of one address. */
  perKey: number;
  perAddress: number;
  addressOf: AddressOf;
}

/** What nobody sent in one second may be sent in the next: a burst is ten seconds’ worth. */
const WINDOW_SECONDS = 10;

export function createLimits({ perKey, perAddress, addressOf }: LimitOptions): Limits {
  const limiterOf = (aSecond: number) =>
    new RateLimiterMemory({ points: aSecond * WINDOW_SECONDS, duration: WINDOW_SECONDS });
  const addresses = limiterOf(perAddress);
  const callers = limiterOf(perKey);
  return {
    byAddress: (req) => take(req, addresses, networkOf(addressOf(req))),
    count: (req, caller) => take(req, callers, caller),
  };
}

async function take({ res }: HttpRequest, limiter: RateLimiterMemory, key: string): Promise<void> {
  if (!res) return;
  try {
    showLimit(res, limiter.points, await limiter.consume(key));
  } catch (exceeded) {
    throw refusalOf(res, limiter.points, exceeded);
  }
}

/** The refusal for what a limiter of `points` rejected with; anything else it rejected with is thrown as it is. */
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
