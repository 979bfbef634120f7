import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { verifyWebhook } from '@plataforma/sdk/webhooks';
import { claimVhost, startFakeMerchant } from '@plataforma/testing';
import { scratchFolders } from '@plataforma/testing/scratch';
import { eventually } from '../src/index.ts';
import { freePort } from '../src/ports.ts';
import { factsIn } from './support/npm-start.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const newFolder = scratchFolders();
const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill('SIGTERM');
});

function environment(dataDir: string, { port, brokerUrl }: { port: number; brokerUrl: string }) {
  const { DATABASE_URL: _database, ...inherited } = process.env;
  const path = `${dirname(process.execPath)}:${inherited.PATH}`;
  const own = { DATA_DIR: dataDir, PORT: String(port), AMQP_URL: brokerUrl };
  return { ...inherited, ...own, NODE_OPTIONS: '', LANG: 'C', PATH: path };
}

function npmRunDev(env: NodeJS.ProcessEnv, target: string) {
  const line = ['run', 'dev', '--', '--forward-to', target];
  // The command has its own process group, as in a terminal, because Ctrl-C signals the whole group.
  const child = spawn('npm', line, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  started.push(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      printed += String(chunk);
    });
  }
  const ended = once(child, 'close').then(([code]) => code);
  return {
    shows: (text: string) => eventually(() => expect(printed).toContain(text), { timeoutMs: 300_000 }),
    printed: () => printed,
    ended,
    ctrlC: () => process.kill(-Number(child.pid), 'SIGINT'),
  };
}

test('one command starts the platform and forwards webhooks until Ctrl-C', async () => {
  const dataDir = newFolder();
  const env = environment(dataDir, { port: await freePort(null), brokerUrl: await claimVhost() });
  const shop = await startFakeMerchant();
  const first = npmRunDev(env, `${shop.url}/hook`);
  await first.shows('Ctrl-C termina');
  const { baseUrl } = await factsIn(dataDir);

  const line = ['run', '--silent', 'dev', '--', 'trigger', 'charge.paid', '--json'];
  const { stdout } = await promisify(execFile)('npm', line, { cwd: root, env });
  const { charge } = JSON.parse(stdout);
  const { body, headers } = await shop.waitFor(({ body }) => String(body).includes(charge.id));
  const secret = /whsec_\S+/.exec(first.printed())?.[0] ?? '';
  const event = await verifyWebhook(body, headers, secret);

  // A second command uses the running platform. When the second command ends, the platform and the first
  // command's listener continue.
  const second = npmRunDev(env, `${shop.url}/other`);
  await second.shows('Ctrl-C termina');
  second.ctrlC();
  const codes = [await second.ended];
  const later = JSON.parse((await promisify(execFile)('npm', line, { cwd: root, env })).stdout).charge;
  await first.shows(later.id);
  const isThere = (await fetch(`${baseUrl}/openapi.json`)).ok;
  first.ctrlC();
  codes.push(await first.ended);

  expect(event).toMatchObject({ event: 'charge.paid', data: { id: charge.id } });
  expect(isThere).toBe(true);
  if (codes[1] !== 0) throw new Error(`ended with ${codes[1]}:\n${first.printed().slice(-2_000)}`);
  expect(codes).toEqual([0, 0]);
  await expect(fetch(`${baseUrl}/openapi.json`)).rejects.toThrow('fetch failed');
  await shop.stop();
}, 600_000);
