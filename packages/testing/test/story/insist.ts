import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { PATIENCE_MS } from '../../src/index.ts';
import type { Client } from './client.ts';

type Answer = Awaited<ReturnType<Client['post']>>;

/** Sends the same request again until it reads an answer that is final; every other says to come again. */
export async function insist(request: () => Promise<Answer>): Promise<Answer> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await request();
    if (answer.status < 500 || Date.now() > deadline) return answer;
    expect([answer.status, answer.body.error?.code]).toEqual(
      answer.status === 502 ? [502, 'PROVIDER_ERROR'] : [503, 'PROVIDER_UNAVAILABLE'],
    );
    if (answer.status === 503) expect(answer.headers.get('retry-after')).not.toBeNull();
    await sleep(250);
  }
}
