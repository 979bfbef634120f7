import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, jest, test } from '@jest/globals';
import environmentOfWorker from '../src/jest-environment.ts';

type Config = Parameters<typeof environmentOfWorker>[0];
type Context = Parameters<typeof environmentOfWorker>[1];

const config = { projectConfig: { testEnvironmentOptions: {}, globals: {} } } as Config;

async function begin(testPath: string) {
  const environment = environmentOfWorker(config, { testPath } as Context);
  await environment.setup();
  return environment;
}

test('a service’s test files share a world until one fails', async () => {
  // `process.on` is replaced, because a real listener for messages would keep the worker process alive.
  jest.spyOn(process, 'on').mockReturnValue(process);
  const stops: string[] = [];
  const environment = await begin('/repository/services/charges/test/one.test.ts');
  const share = () =>
    Object.assign(environment.global, { sharedWorld: { stop: async () => void stops.push('stop') } });
  share();

  await begin('/repository/services/charges/test/cards/two.test.ts');
  expect(stops).toEqual([]);

  environment.handleTestEvent({ name: 'test_fn_failure' });
  await begin('/repository/services/charges/test/three.test.ts');
  expect([stops.length, environment.global.sharedWorld]).toEqual([1, undefined]);

  share();
  await begin('/repository/services/ledger/test/one.test.ts');
  expect(stops).toHaveLength(2);
});

test('a worker ends at jest’s message although a server still listens', async () => {
  const worker = fork(fileURLToPath(new URL('./support/listening-worker.ts', import.meta.url)));
  await once(worker, 'message');

  worker.send([2, false]);

  expect(await once(worker, 'exit')).toEqual([null, 'SIGKILL']);
});
