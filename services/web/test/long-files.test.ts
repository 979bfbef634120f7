import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { Agent, get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { scratchFolders } from '@plataforma/testing/scratch';
import { startWorld } from './support/world.ts';

const scratchDir = scratchFolders();
/**
 * The size of a file that takes 64 slots. A network may have five files of this size that are not read yet.
 */
const LONG = 4 * 1024 * 1024;
const FIT = 5;

test('long unread files take slots of their network until closed', async () => {
  const folder = scratchDir();
  await mkdir(join(folder, 'dashboard/assets'), { recursive: true });
  await writeFile(join(folder, 'dashboard/assets/long-before.js'), 'x'.repeat(LONG));
  const world = await startWorld({ PREVIOUS_PAGES: folder });
  const ask = (localAddress: string, agent = new Agent({ keepAlive: true })) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const url = `${world.url}/assets/long-before.js`;
      get(url, { localAddress, agent }, resolve).on('error', reject);
    });
  const read = async (localAddress: string) => {
    const agent = new Agent({ keepAlive: true });
    const answer = await ask(localAddress, agent);
    await once(answer.resume(), 'end');
    agent.destroy();
    return [answer.statusCode, answer.headers['cache-control']];
  };
  const FILE = [200, 'public, max-age=31536000, immutable'];

  const unread: IncomingMessage[] = [];
  for (let count = 0; count < FIT; count += 1) unread.push(await ask('127.0.0.3'));

  expect(unread.map(({ statusCode }) => statusCode)).toEqual(Array(FIT).fill(200));
  // Browsers must not store this refusal in place of the file.
  expect(await read('127.0.0.3')).toEqual([503, 'no-store']);
  expect(await read('127.0.0.4')).toEqual(FILE);
  for (const answer of unread) answer.destroy();
  await eventually(async () => expect(await read('127.0.0.3')).toEqual(FILE));
  await world.stop();
});
