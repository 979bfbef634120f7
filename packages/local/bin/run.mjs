// Plain JavaScript without dependencies, because it runs on any Node and before any package is installed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';

const NODE_VERSION = '24.21.0';
const PNPM_VERSION = '12.21.0';
/** The first Node that runs TypeScript without a flag. */
const FIRST_SUFFICIENT_NODE = [22, 18];
const SAY_EVERY_MS = 10_000;

const ROOT = resolve(import.meta.dirname, '../../..');
const STAMP = join(ROOT, 'node_modules', '.installed.json');
const PROGRAMS = {
  start: 'packages/local/src/start.ts',
  dev: 'packages/local/src/dev.ts',
  'dev:service': 'packages/local/src/start.ts',
  test: 'packages/testing/src/check.ts',
  bench: 'packages/lab/src/bench/main.ts',
  chaos: 'packages/lab/src/chaos/main.ts',
  mutants: 'packages/lab/src/mutants/main.ts',
  release: 'packages/lab/src/cut-release/main.ts',
  'release:check': 'packages/lab/src/release/main.ts',
  screenshots: 'packages/lab/src/screenshots/main.ts',
  shop: 'examples/shop/src/main.ts',
  operator: 'packages/local/src/operator.ts',
};

/** The compile cache of the started program; services have another. Node ignores a read-only folder. */
const COMPILED = { NODE_COMPILE_CACHE: join(ROOT, '.local', 'compile-cache', 'start') };

let running = null;
let received = null;
// This process passes signals on, and exits after the program.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => passOn(signal));
if (process.env.npm_lifecycle_event) passOnDeathOf(process.ppid);

process.exitCode = await main(process.argv.slice(2));

async function main([name, ...args]) {
  const program = PROGRAMS[name];
  if (!program) return refuse(`usage: node run.mjs ${Object.keys(PROGRAMS).join('|')}`);
  const node = installedNode() ?? (await install());
  if (received) return exitCodeOf(null, received);
  if (!node) return 1;
  const { code, signal } = await run(node, [join(ROOT, program), ...args], {
    stdio: 'inherit',
    env: { ...(['start', 'dev', 'dev:service'].includes(name) && COMPILED), ...withNode(node) },
  });
  return exitCodeOf(code, signal);
}

function passOn(signal) {
  received = signal;
  running?.kill(signal);
}

// npm sends a signal to the shell that is this process's parent. The shell may exit without passing it on.
function passOnDeathOf(parent) {
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    passOn('SIGTERM');
  }, 200);
  watch.unref();
}

/** The Node of an earlier installation of exactly these packages. */
function installedNode() {
  try {
    const stamp = JSON.parse(readFileSync(STAMP, 'utf8'));
    const isCurrent = stamp.lockfile === lockfileHash() && stamp.version === wantedVersion();
    return isCurrent && existsSync(stamp.node) ? stamp.node : null;
  } catch {
    return null;
  }
}

async function install() {
  console.error('Installing Node and the packages of this project, only this once');
  const borrowed = isSufficient() ? [] : ['-p', `node@${NODE_VERSION}`];
  const commands = `node -p '"node=" + process.execPath' && pnpm install --frozen-lockfile --reporter=append-only`;
  const args = ['-y', ...borrowed, '-p', `pnpm@${PNPM_VERSION}`, '-c', commands];
  const quiet = {
    npm_config_loglevel: 'error',
    npm_config_update_notifier: 'false',
    npm_config_fund: 'false',
    // By default npm retries for more than a minute without a network.
    npm_config_fetch_retry_mintimeout: '1000',
    npm_config_fetch_retry_maxtimeout: '4000',
  };
  // With CI, pnpm asks no questions.
  const env = { ...withNode(process.execPath), ...quiet, CI: 'true' };
  const startedAt = Date.now();
  const saying = setInterval(() => {
    console.error(`… still installing, ${Math.round((Date.now() - startedAt) / 1000)} s`);
  }, SAY_EVERY_MS);
  const { code, output, error } = await run('npx', args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  clearInterval(saying);
  if (received) return null;
  if (error) return fail('npm is missing: install it together with Node.js, then try again', error.message);
  const node = isSufficient() ? process.execPath : /^node=(.+)$/m.exec(output)?.[1];
  if (code !== 0 || !node) {
    return fail('the packages could not be installed; is the npm registry reachable from here?', output);
  }
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, JSON.stringify({ lockfile: lockfileHash(), version: wantedVersion(), node }));
  return node;
}

function isSufficient() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [wantedMajor, wantedMinor] = FIRST_SUFFICIENT_NODE;
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

function wantedVersion() {
  return isSufficient() ? process.versions.node : NODE_VERSION;
}

function lockfileHash() {
  const lockfile = readFileSync(join(ROOT, 'pnpm-lock.yaml'));
  return createHash('sha256').update(lockfile).digest('hex');
}

function withNode(node) {
  return { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) };
}

async function run(command, args, options) {
  const { promise, resolve: settle } = promiseParts();
  running = spawn(command, args, { cwd: ROOT, ...options });
  let output = '';
  for (const stream of [running.stdout, running.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  }
  running.on('error', (error) => settle({ code: null, signal: null, output, error }));
  running.on('close', (code, signal) => settle({ code, signal, output }));
  const result = await promise;
  running = null;
  return result;
}

// Node before 22 has no Promise.withResolvers.
function promiseParts() {
  const parts = {};
  parts.promise = new Promise((settle) => {
    parts.resolve = settle;
  });
  return parts;
}

function exitCodeOf(code, signal) {
  return signal ? 128 + constants.signals[signal] : (code ?? 1);
}

function refuse(message) {
  console.error(message);
  return 1;
}

function fail(message, details) {
  const lastLines = details.trim().split('\n').slice(-20).join('\n');
  console.error(`${lastLines}\n\nCannot continue: ${message}`);
  return null;
}
