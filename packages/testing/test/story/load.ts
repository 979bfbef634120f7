import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { z } from 'zod';
import type { PlatformFacts } from '../../src/index.ts';
import { anOrder } from './client.ts';

/** A request that did not get the answer that was due to it. */
interface Failure {
  what: string;
  /** Null: there was no answer at all. */
  status: number | null;
  answerText: string;
}

export interface Load {
  failures: readonly Failure[];
  answered(): number;
  paid: readonly string[];
  /** Charges that were not paid when they were last looked at; whoever was killed may have been about to. */
  undecided: readonly string[];
  withdrawn: readonly string[];
  /** Lets what is under way come to its end. */
  stop(): Promise<void>;
}

/** Cents; more than it withdraws in all. */
export const LOAD_NEEDS = 10_000_000;

/** A second of it, as timers may be late by so much, is less than a gateway takes requests when it is told to stop. */
const IDLE_CONNECTION_MS = 3_000;
const PAUSE_MS = 20;
/** Between two things that a client does: without it the clients take all the processor time there is. */
const BREATH_MS = 100;
/** A killed replica's lease lasts half a minute. */
const IN_PROGRESS_PAUSE_MS = 500;
/** Whoever hears no answer so many times gives up. */
const TRIES = 200;
const answer = z.object({ data: z.object({ id: z.string(), status: z.string() }) });

interface Sent {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
}

/** Several of a merchant's clients that order, get paid, look at the balance and withdraw, with hardly a break. */
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

  /** Sends it, and again, like a merchant who wants to know how it ended, until there is one of these answers. */
  async function insist(sent: Sent, ...due: readonly number[]) {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { status, text } = await attempt(pool, sent);
      answered += 1;
      if (status !== null && due.includes(status)) return answer.safeParse(JSON.parse(text)).data?.data;
      if (tries > 0 && text.includes('REQUEST_IN_PROGRESS')) {
        await sleep(IN_PROGRESS_PAUSE_MS);
        continue;
      }
      // Whoever sends it again may hear that it was done.
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

  async function look(): Promise<void> {
    await insist({ method: 'GET', path: '/v1/balance' }, 200);
    await insist({ method: 'GET', path: '/v1/webhook-config' }, 200);
    await sleep(BREATH_MS);
  }

  async function again(act: () => Promise<void>): Promise<void> {
    while (!isStopped) await act();
  }

  const clients = [orderAndPay, orderAndPay, orderAndPay, withdraw, withdraw, look, look].map(again);
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
