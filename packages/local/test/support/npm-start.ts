import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PlatformFacts } from '../../src/index.ts';

const startFile = fileURLToPath(new URL('../../src/start.ts', import.meta.url));

export interface Started {
  child: ChildProcess;
  /** Returns everything that the process wrote to standard output and error. */
  printed(): string;
  ended: Promise<number | null>;
}

export function npmStart(dataDir: string, settings: Record<string, string>): Started {
  const { DATABASE_URL: _database, AMQP_URL: _broker, ...inherited } = process.env;
  const env = { ...inherited, DATA_DIR: dataDir, NODE_OPTIONS: '', ...settings };
  const child = spawn(process.execPath, [startFile], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += String(chunk);
    });
  }
  const ended = once(child, 'close').then(([code]) => code);
  return { child, printed: () => output, ended };
}

export async function factsIn(dataDir: string): Promise<PlatformFacts> {
  return JSON.parse(await readFile(join(dataDir, 'platform.json'), 'utf8'));
}
