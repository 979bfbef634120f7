import { expect, test } from '@jest/globals';
import { coalesced } from '@plataforma/observe';

test('calls during a run cause one more run before stop', async () => {
  const runs: (() => void)[] = [];
  const work = coalesced(() => new Promise<void>((resolve) => runs.push(resolve)));
  const finish = async (run: number) => {
    runs[run]?.();
    await new Promise((resolve) => setImmediate(resolve));
  };

  work.now();
  work.now();
  work.now();
  const stopping = work.stop();
  await finish(0);
  expect(runs).toHaveLength(2);

  await finish(1);
  await stopping;
  work.now();
  expect(runs).toHaveLength(2);
});
