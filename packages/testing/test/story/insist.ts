import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { WAIT_TIMEOUT_MS } from '../../src/index.ts';
import type { Client } from './client.ts';

type Answer = Awaited<ReturnType<Client['post']>>;

const RETRIED = [
  [502, 'PROVIDER_ERROR'],
  [503, 'PROVIDER_UNAVAILABLE'],
  [503, 'SERVICE_UNAVAILABLE'],
];
/** The code of the error if the platform still processes an earlier request with the same Idempotency-Key. */
const IN_PROGRESS = 'REQUEST_IN_PROGRESS';

/** Repeats a request until its answer is final, or until the timeout. */
export async function insist(request: () => Promise<Answer>): Promise<Answer> {
  const deadline = Date.now() + WAIT_TIMEOUT_MS;
  for (;;) {
    const answer = await request();
    const isInProgress = answer.body.error?.code === IN_PROGRESS;
    if ((answer.status < 500 && !isInProgress) || Date.now() > deadline) return answer;
    if (!isInProgress) expect(RETRIED).toContainEqual([answer.status, answer.body.error?.code]);
    if (answer.status === 503) expect(answer.headers.get('retry-after')).not.toBeNull();
    await sleep(250);
  }
}
