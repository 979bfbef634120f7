import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePorts } from '@plataforma/local';
import { eventually } from '../../src/index.ts';
import { borrowed, npmInstall, packInto, runIn, tarballOf } from '../../src/packed.ts';
import { scratchFolders } from '../../src/scratch.ts';
import { startWorld, type World } from '../story/world.ts';
import { checkSource, commonSource, nodeSource, workerConfig, workerSource } from './runtime-source.ts';

const WORKERD = 'workerd@1.20261110.1';
const { vectors }: { vectors: { valid: boolean }[] } = JSON.parse(
  readFileSync(`${process.cwd()}/packages/sdk/vectors.json`, 'utf8'),
);
const newFolder = scratchFolders();
let world: World;
let folder: string;

beforeAll(async () => {
  const packed = newFolder();
  await packInto(packed);
  folder = newFolder();
  await npmInstall(folder, [tarballOf(packed, 'sdk')]);
  for (const [name, text] of Object.entries({
    ...{ 'check.mjs': checkSource, 'node.mjs': nodeSource, 'common.cjs': commonSource },
    'worker.mjs': workerSource,
  })) {
    writeFileSync(join(folder, name), text);
  }
});
beforeAll(async () => {
  world = await startWorld({ replicas: 1 });
});
afterAll(() => world?.stop());

const inputOf = (name: string) => {
  const { baseUrl, demo } = world.platform.facts;
  return JSON.stringify({ apiKey: demo.sandboxKey, baseUrl, vectors, name });
};

const expected = {
  verdicts: vectors.map(({ valid }) => valid),
  webhook: [200, [2500]],
  created: ['PENDING', true],
  listed: [['PAID'], 1],
  csv: true,
  statement: 'id',
  ofx: 'OFXHEADER:100',
  file: ['nota.pdf', true],
  refusal: [true, 'VALIDATION_ERROR', 'amount', true],
  late: [true, true],
  retried: [2, true],
  reported: true,
};

test.each(['20.20.2', '22.23.3', '24.21.0'])('the installed SDK works in Node %s', async (version) => {
  const node = await borrowed(`node@${version}`, 'node');
  expect((await runIn(folder, node, ['--version'])).trim()).toBe(`v${version}`);
  writeFileSync(join(folder, 'input.json'), inputOf(`node-${version}`));

  expect(JSON.parse(await runIn(folder, node, ['node.mjs', 'input.json']))).toEqual(expected);
  expect((await runIn(folder, node, ['common.cjs'])).trim()).toBe('function function');
});

test('the installed SDK works in workerd, the runtime of Cloudflare’s workers', async () => {
  const workerd = await borrowed(WORKERD, 'workerd');
  const [port = 0] = await freePorts([null], null);
  writeFileSync(join(folder, 'config.capnp'), workerConfig(port));
  const worker = spawn(workerd, ['serve', 'config.capnp'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    const answer = await eventually(() =>
      fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: inputOf('workerd') }),
    );
    const text = await answer.text();

    expect([answer.status, text]).toEqual([200, expect.any(String)]);
    expect(JSON.parse(text)).toEqual(expected);
  } finally {
    worker.kill();
    if (worker.exitCode === null) await once(worker, 'close');
  }
});
