import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { PATIENCE_MS } from '../../src/index.ts';
import type { Client } from './client.ts';

type Answer = Awaited<ReturnType<Client['post']>>;

const RETRIED = [
  [502, 'PROVIDER_ERROR'],
  [503, 'PROVIDER_UNAVAILABLE'],
  [503, 'SERVICE_UNAVAILABLE'],
];

/** Repeats a request until its answer is final. */
export async function insist(request: () => Promise<Answer>): Promise<Answer> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await request();
    if (answer.status < 500 || Date.now() > deadline) return answer;
    expect(RETRIED).toContainEqual([answer.status, answer.body.error?.code]);
    if (answer.status === 503) expect(answer.headers.get('retry-after')).not.toBeNull();
    await sleep(250);
  }
}
