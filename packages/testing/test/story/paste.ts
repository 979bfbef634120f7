import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@plataforma/local';
import { startFakeMerchant } from '../../src/index.ts';
import { blocksOf, readDocuments, root } from '../documents.ts';
import { waitUntilIdle } from './settled.ts';
import type { World } from './world.ts';

const run = promisify(execFile);
const documents = readDocuments();

/**
 * A `sleep` of one second in a document waits until the platform is idle and no webhook is due within this
 * number of seconds.
 */
const LONGER = 3;

/** The line of a document that follows the start of a receiver in the background. */
const RECEIVER_STARTED = /^receiver=\$!$/gm;

/**
 * Runs all commands of a document in one shell, and returns their output. The shell ends if the platform
 * refuses a request. A `sleep` in the commands waits until the platform is idle, and a receiver in the
 * background listens before the next command.
 */
export async function paste(world: World, path: string): Promise<string> {
  const waiting = await startFakeMerchant();
  waiting.answer(async ({ path: requestPath }) => {
    const seconds = Number(requestPath.slice(1));
    const body = await waitUntilIdle(world.platform, seconds * 1_000 * LONGER).catch(String);
    return body ? { status: 500, body } : { status: 204 };
  });
  try {
    return await pasteInto(world, path, waiting.url);
  } finally {
    await waiting.stop();
  }
}

async function pasteInto(world: World, path: string, waitingUrl: string): Promise<string> {
  const port = String(await freePort(null));
  const pasted = blocksOf(documents.get(path) ?? '')
    .join('\n')
    .replaceAll('localhost:8080', new URL(world.platform.facts.baseUrl).host)
    .replaceAll('localhost:3000', `localhost:${port}`)
    .replace(RECEIVER_STARTED, `$&; until command curl -s localhost:${port} >&2; do command sleep 0.1; done`)
    .replaceAll('./.local/', `${world.dataDir}/`)
    .replaceAll('=.local/', `=${world.dataDir}/`)
    .replaceAll(' .local/', ` ${world.dataDir}/`);
  const script = `curl() { command curl --fail-with-body "$@"; }
sleep() { command curl -sS --fail-with-body "${waitingUrl}/$1" >&2; }
plataforma() { node packages/cli/src/main.ts "$@"; }
${pasted}`;
  const { baseUrl, demo } = world.platform.facts;
  const env = {
    ...environment(),
    PORT: port,
    PLATAFORMA_URL: baseUrl,
    PLATAFORMA_API_KEY: demo.sandboxKey,
    PLATAFORMA_HOME: join(world.dataDir, 'cli'),
    DATA_DIR: world.dataDir,
    LANG: 'C',
  };
  const { stdout } = await run('sh', ['-e', '-c', script], { env, cwd: root });
  return stdout;
}

export async function runNode(folder: string, file: string, given: Record<string, string>): Promise<string> {
  const env = { ...environment(), ...given };
  const { stdout } = await run(process.execPath, [file], { env, cwd: folder });
  return stdout;
}

function environment() {
  return { ...process.env, NODE_OPTIONS: '', PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
}
