import { execFile, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { eventually, freePort } from '@plataforma/local';
import { newTestFolder } from '../../src/test-folders.ts';
import { root } from '../documents.ts';

const run = promisify(execFile);
const drivers = new URL('drivers/', import.meta.url).pathname;

export interface Language {
  folder: string;
  /** Programs that must be installed for the tests of this language. */
  needs: readonly string[];
  /**
   * The file of the code sample that verifies a signature, and the call that compares two texts in constant
   * time.
   */
  verifies: readonly [file: string, compare: string];
  /** Commands that build a copy of the samples before the tests run them. */
  build?: readonly (readonly [string, ...string[]])[];
  driver: readonly [string, ...string[]];
  /**
   * Returns the command that starts the sample's webhook receiver. The command works in any working
   * directory.
   */
  receiver(port: number, samples: string): readonly [string, ...string[]];
}

export const languages: readonly Language[] = [
  {
    folder: 'typescript',
    verifies: ['verify.ts', 'timingSafeEqual('],
    needs: [],
    driver: [process.execPath, join(drivers, 'driver.ts')],
    receiver: (_port, samples) => [process.execPath, join(samples, 'start.mjs')],
  },
  {
    folder: 'php',
    verifies: ['verify.php', 'hash_equals('],
    needs: ['php'],
    driver: ['php', 'driver.php'],
    receiver: (port, samples) => ['php', '-S', `127.0.0.1:${port}`, join(samples, 'receiver.php')],
  },
  {
    folder: 'python',
    verifies: ['verify.py', 'compare_digest('],
    needs: ['python3'],
    driver: ['python3', 'driver.py'],
    receiver: (_port, samples) => ['python3', join(samples, 'receiver.py')],
  },
  {
    folder: 'go',
    verifies: ['verify.go', 'hmac.Equal('],
    needs: ['go'],
    build: [
      ['go', 'build', '-o', 'driver', 'verify.go', 'driver.go'],
      ['go', 'build', '-o', 'receiver', 'verify.go', 'receiver.go'],
    ],
    driver: ['./driver'],
    receiver: (_port, samples) => [join(samples, 'receiver')],
  },
  {
    folder: 'java',
    verifies: ['Verify.java', 'MessageDigest.isEqual('],
    needs: ['javac', 'java'],
    build: [['javac', '-d', '.', 'Json.java', 'Verify.java', 'Receiver.java', 'Driver.java']],
    driver: ['java', '-cp', '.', 'Driver'],
    receiver: (_port, samples) => ['java', '-cp', samples, 'Receiver'],
  },
];

const isProgram = (path: string) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const isInstalled = (program: string) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => isProgram(join(folder, program)));

export const installed = languages.filter(({ needs }) => needs.every(isInstalled));

export async function buildSamples({ folder, build = [] }: Language, into: string): Promise<void> {
  await cp(join(root, 'docs/guide/samples', folder), into, { recursive: true });
  await cp(drivers, into, { recursive: true });
  for (const [program, ...rest] of build) await run(program, rest, { cwd: into });
}

/**
 * Runs the driver of a language. The driver gets each case as a line of Base64 fields on standard input.
 * Returns the lines of its output.
 */
export async function drive({ driver: [program, ...rest] }: Language, into: string, cases: string[][]) {
  const lines = cases.map((fields) => fields.map((each) => Buffer.from(each).toString('base64')).join('\t'));
  const running = run(program, rest, { cwd: into, env: { ...process.env, NODE_OPTIONS: '' } });
  running.child.stdin?.end(`${lines.join('\n')}\n`);
  const { stdout } = await running;
  return stdout.trim().split('\n');
}

export interface Receiver {
  url: string;
  /** The receiver's working directory, which is not the folder of the samples. */
  folder: string;
  stop(): Promise<void>;
}

export async function startReceiver(language: Language, into: string, secrets: string): Promise<Receiver> {
  const port = await freePort(null);
  const [program, ...rest] = language.receiver(port, into);
  const cwd = await newTestFolder();
  const env = { ...process.env, NODE_OPTIONS: '', TMPDIR: into, PORT: String(port), WEBHOOK_SECRET: secrets };
  const child = spawn(program, rest, { cwd, env, stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `http://127.0.0.1:${port}/webhooks`;
  await eventually(() => fetch(url, { method: 'POST' }));
  return {
    url,
    folder: cwd,
    async stop() {
      child.kill();
      await ended;
      await rm(cwd, { recursive: true });
    },
  };
}
