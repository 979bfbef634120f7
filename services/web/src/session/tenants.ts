import { merchantStatuses } from '@plataforma/contracts';
import type { Environment, Tenant } from '@plataforma/kernel';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { type Session, sessionKeyOf } from './cookie.ts';

const MOST_SESSIONS = 20_000;
/**
 * The time for which an account is cached. A newly approved account may use the slots for sandboxes until the
 * cached status expires.
 */
const CACHE_MS = 14 * 60 * 1_000;

const account = z.object({ data: z.object({ id: z.uuid(), status: z.enum(merchantStatuses) }) });

type Account = z.infer<typeof account>['data'];

/**
 * Caches which account each session belongs to, because each request takes a slot of its account. Concurrent
 * requests of a session share one read of the account.
 */
export function createTenants() {
  const accounts = new LRUCache<string, Promise<Account | undefined>>({ max: MOST_SESSIONS, ttl: CACHE_MS });

  function cache(session: Session, body: unknown): void {
    const { data } = account.safeParse(body);
    if (data) accounts.set(sessionKeyOf(session), Promise.resolve(data.data));
  }

  function accountOf(key: string, ask: () => Promise<{ body: unknown }>): Promise<Account | undefined> {
    const reading = accounts.get(key);
    if (reading) return reading;
    const begun = ask().then(({ body }) => account.safeParse(body).data?.data);
    accounts.set(key, begun);
    const forget = () => accounts.get(key) === begun && accounts.delete(key);
    begun.then((found) => found ?? forget(), forget);
    return begun;
  }

  return {
    /** Caches the account that an answer of `/v1/account` contains. */
    cache,
    /**
     * Returns the account whose slots the request takes. A session whose account can't be read counts as a
     * sandbox account of its own. `ask` reads `/v1/account`.
     */
    async tenantOf(
      environment: Environment,
      session: Session,
      ask: () => Promise<{ body: unknown }>,
    ): Promise<Tenant> {
      const key = sessionKeyOf(session);
      const { id = key, status = 'PENDING' } = (await accountOf(key, ask)) ?? {};
      const isApproved = status === 'APPROVED' || status === 'SUSPENDED';
      return { merchantId: id, environment: isApproved ? environment : 'sandbox' };
    },
  };
}
