import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { z } from 'zod';
import type { PlatformFacts } from '../../src/index.ts';
import { anOrder } from './client.ts';

/** A request that did not get one of the expected answers. */
interface Failure {
  what: string;
  /** The status of the answer; null if no answer arrived. */
  status: number | null;
  answerText: string;
}

export interface Load {
  failures: readonly Failure[];
  answered(): number;
  paid: readonly string[];
  /**
   * The charges that were not PAID when the client read them last. A service that was killed may have
   * recorded the payment later.
   */
  undecided: readonly string[];
  withdrawn: readonly string[];
  /** Stops the clients, and waits until their current requests have ended. */
  stop(): Promise<void>;
}

/** The balance in cents that the clients need: more than the sum of all their withdrawals. */
export const LOAD_NEEDS = 10_000_000;

/**
 * Milliseconds after which an idle connection is closed. At least a second shorter than the gateway's drain
 * time, because a timer may be a second late.
 */
const IDLE_CONNECTION_MS = 3_000;
const PAUSE_MS = 20;
/** The pause between two actions of a client. Without it, the clients would use all processor time. */
const BREATH_MS = 100;
/**
 * The pause before the client repeats a request that is still in progress. All repetitions together last
 * longer than the lease of a killed replica, which is half a minute.
 */
const IN_PROGRESS_PAUSE_MS = 500;
const TRIES = 200;
const answer = z.object({ data: z.object({ id: z.string(), status: z.string() }) });

interface Sent {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
}

/**
 * Starts several clients of one merchant. Each creates charges, pays them, reads the balance and withdraws,
 * with short pauses.
 */
export function startLoad({ baseUrl, demo }: PlatformFacts): Load {
  const pool = new Pool(baseUrl, {
    connections: 16,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    keepAliveMaxTimeout: IDLE_CONNECTION_MS,
  });
  const failures: Failure[] = [];
  const paid: string[] = [];
  const undecided: string[] = [];
  const withdrawn: string[] = [];
  let answered = 0;
  let isStopped = false;

  /**
   * Repeats a request until its answer has one of the expected statuses, as a merchant's system does. Records
   * every other answer as a failure.
   */
  async function insist(sent: Sent, ...due: readonly number[]) {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { status, text } = await attempt(pool, sent);
      answered += 1;
      if (status !== null && due.includes(status)) return answer.safeParse(JSON.parse(text)).data?.data;
      if (tries > 0 && text.includes('REQUEST_IN_PROGRESS')) {
        await sleep(IN_PROGRESS_PAUSE_MS);
        continue;
      }
      // A repeated request may get 409, because the platform executed the first request although its answer
      // was lost.
      const isDone = tries > 0 && status === 409;
      if (!isDone)
        failures.push({ what: `${sent.method} ${sent.path}`, status, answerText: text.slice(0, 300) });
      if (status !== null && status < 500) return undefined;
      await sleep(PAUSE_MS);
    }
    return undefined;
  }

  async function attempt(to: Pool, { method, path, body }: Sent) {
    const headers = { 'x-api-key': demo.sandboxKey, 'content-type': 'application/json' };
    try {
      const response = await to.request({ method, path, headers, body: body ? JSON.stringify(body) : null });
      return { status: response.statusCode, text: await response.body.text() };
    } catch (error) {
      return { status: null, text: String(error) };
    }
  }

  async function orderAndPay(): Promise<void> {
    const charge = await insist({ method: 'POST', path: '/v1/charges', body: anOrder() }, 200, 201);
    const path = `/v1/charges/${charge?.id}/simulate-payment`;
    const paying = await insist({ method: 'POST', path, body: {} }, 200);
    const now = paying ?? (await insist({ method: 'GET', path: `/v1/charges/${charge?.id}` }, 200));
    if (now?.status === 'PAID') paid.push(now.id);
    else if (now) undecided.push(now.id);
    await sleep(BREATH_MS);
  }

  async function withdraw(): Promise<void> {
    const order = { amount: 1_000, pixKey: randomUUID(), pixKeyType: 'EVP', externalId: randomUUID() };
    const withdrawal = await insist({ method: 'POST', path: '/v1/withdrawals', body: order }, 200, 201);
    if (withdrawal) withdrawn.push(withdrawal.id);
    await sleep(BREATH_MS);
  }

  async function read(): Promise<void> {
    await insist({ method: 'GET', path: '/v1/balance' }, 200);
    await insist({ method: 'GET', path: '/v1/webhook-config' }, 200);
    await sleep(BREATH_MS);
  }

  async function again(act: () => Promise<void>): Promise<void> {
    while (!isStopped) await act();
  }

  const clients = [orderAndPay, orderAndPay, orderAndPay, withdraw, withdraw, read, read].map(again);
  return {
    failures,
    answered: () => answered,
    paid,
    undecided,
    withdrawn,
    async stop() {
      isStopped = true;
      await Promise.all(clients);
      await pool.destroy();
    },
  };
}
