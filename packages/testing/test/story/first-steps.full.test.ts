import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { blocksOf, readDocuments } from '../documents.ts';
import { startWorld, type World } from './world.ts';

const run = promisify(execFile);
const documents = readDocuments();

let world: World;

beforeAll(async () => {
  world = await startWorld({ replicas: 1 });
}, 60_000);

afterAll(() => world?.stop());

/** Pastes the blocks of a document into one shell, in which a refused request ends everything. */
async function paste(path: string): Promise<string> {
  const pasted = blocksOf(documents.get(path) ?? '')
    .join('\n')
    .replaceAll('localhost:8080', new URL(world.platform.facts.baseUrl).host)
    .replaceAll('./.local/platform.json', join(world.dataDir, 'platform.json'));
  const script = `curl() { command curl --fail-with-body "$@"; }\n${pasted}`;
  const env = { ...process.env, NODE_OPTIONS: '', PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const { stdout } = await run('sh', ['-e', '-c', script], { env });
  return stdout;
}

test('the commands of README take a first payment', async () => {
  const printed = await paste('README.md');

  expect(printed).toContain('"status":"PAID"');
  expect(printed).toContain('"success":true,"data":{"availableBalance":');
});

test('the commands of the first steps work as they stand', async () => {
  const printed = await paste('docs/first-steps.md');

  expect(printed).toContain('"status":"REFUNDED"');
  expect(printed).toContain('"cardLastDigits":"0010"');
  expect(printed).toContain('"status":"APPROVED"');
  expect(printed).toContain('"differences":[]');
});
