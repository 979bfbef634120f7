import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@plataforma/local';
import { blocksOf, readDocuments, root } from '../documents.ts';
import type { World } from './world.ts';

const run = promisify(execFile);
const documents = readDocuments();

/** Pastes the blocks of a document into one shell, in which a refused request ends everything; what waits, waits longer. */
export async function paste(world: World, path: string): Promise<string> {
  const port = String(await freePort(null));
  const pasted = blocksOf(documents.get(path) ?? '')
    .join('\n')
    .replaceAll('localhost:8080', new URL(world.platform.facts.baseUrl).host)
    .replaceAll('localhost:3000', `localhost:${port}`)
    .replaceAll('./.local/', `${world.dataDir}/`)
    .replaceAll('=.local/', `=${world.dataDir}/`)
    .replaceAll(' .local/', ` ${world.dataDir}/`);
  const script = `curl() { command curl --fail-with-body "$@"; }
sleep() { command sleep "$(($1 * 3))"; }
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

/** What a program of Node prints. */
export async function runNode(folder: string, file: string, given: Record<string, string>): Promise<string> {
  const env = { ...environment(), ...given };
  const { stdout } = await run(process.execPath, [file], { env, cwd: folder });
  return stdout;
}

function environment() {
  return { ...process.env, NODE_OPTIONS: '', PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
}
