import { expect } from '@jest/globals';
import { newId, type Tenant } from '@plataforma/kernel';
import type { Answered, Client } from './client.ts';
import { merchantHeader } from './identity.ts';

export interface Keyed extends Answered {
  isReplay: boolean;
}

interface KeyedPost {
  headers: Record<string, string>;
  path: string;
  key: string;
  body?: unknown;
}

/** Sends one request with an `Idempotency-Key` and its caller's identity. */
export async function postKeyed(client: Client, { headers, path, key, body }: KeyedPost): Promise<Keyed> {
  const message = { method: 'POST', headers: { ...headers, 'idempotency-key': key }, body };
  const answer = await client.send(path, message);
  return { ...answer, isReplay: answer.headers.get('idempotency-replayed') === 'true' };
}

interface Repeatable {
  tenant: Tenant;
  path: string;
  body?: unknown;
}

/** Returns a function that sends a merchant's request. Each call sends the same request with the same key. */
export function repeatable({ tenant, path, body }: Repeatable, key: string = newId()) {
  return (client: Client) => postKeyed(client, { headers: merchantHeader(tenant), path, key, body });
}

/** Returns the status and content of an answer, without its headers. */
export function saidIn({ status, data, error }: Answered): unknown {
  return { status, data, error };
}

/** Returns true when the answer only says that the same request is in progress. */
export function isUnderWay({ status, error }: Answered): boolean {
  return status === 202 || (status === 409 && error?.code === 'REQUEST_IN_PROGRESS');
}

/**
 * Sends a request many times at the same moment. Expects that all final answers are equal, and that exactly
 * one is not marked as repeated.
 */
export async function expectOneAnswer(
  [one, other]: readonly [Client, Client],
  ask: (client: Client) => Promise<Keyed>,
  times = 6,
): Promise<Keyed> {
  const answers = await Promise.all(Array.from({ length: times }, (_, i) => ask(i % 2 ? one : other)));
  const finished = answers.filter((answer) => !isUnderWay(answer));
  const last = await ask(one);
  expect(last.isReplay).toBe(true);
  expect(finished.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
  for (const answer of finished) expect(saidIn(answer)).toEqual(saidIn(last));
  return last;
}
