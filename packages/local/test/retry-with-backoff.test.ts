import { describe, expect, test } from '@jest/globals';
import { retryWithBackoff } from '../src/retry-with-backoff.ts';

describe('an attempt with backoff', () => {
  test('succeeds later and reports the wait with its reason once', async () => {
    const said: string[] = [];
    let attempts = 0;
    const attempt = async () => {
      attempts += 1;
      if (attempts < 4) throw new Error(`refused ${attempts}`);
      return 'an answer';
    };

    const answer = await retryWithBackoff(attempt, {
      target: 'the server',
      onWait: (reason) => said.push(reason),
    });

    expect(answer).toBe('an answer');
    expect(said).toEqual(['refused 1']);
  });

  test('names its target and last error after the timeout', async () => {
    const attempt = () => fetch('http://127.0.0.1:1');

    const waiting = retryWithBackoff(attempt, { target: 'the gateway', timeoutMs: 300 });

    await expect(waiting).rejects.toThrow(/^Waited 0.3 s for the gateway: fetch failed \(.+\)$/);
  });

  test('is not repeated after a permanent error', async () => {
    let attempts = 0;
    const attempt = async () => {
      attempts += 1;
      throw new Error('wrong password');
    };

    const waiting = retryWithBackoff(attempt, { target: 'the server', isHopeless: () => true });

    await expect(waiting).rejects.toThrow(/^wrong password$/);
    expect(attempts).toBe(1);
  });

  test('ends when its signal aborts', async () => {
    const controller = new AbortController();
    const refused = () => Promise.reject(new Error('refused'));

    const waiting = retryWithBackoff(refused, {
      target: 'it',
      signal: controller.signal,
      onWait: () => controller.abort(),
    });

    await expect(waiting).rejects.toThrow('aborted');
  });
});
