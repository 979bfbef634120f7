import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, matchesGlob } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  buildDocs,
  buildPages,
  chooseAddresses,
  databasePasswordsFor,
  ensureDatabases,
  recallSecrets,
  type ServiceName,
  serviceNames,
  settingsOf,
  webSettingsOf,
} from '@plataforma/local';
import pg from 'pg';
import { z } from 'zod';
import { claimVhost, eventually, runPnpm } from '../../src/index.ts';

/**
 * The repository. The test installs the files of an image into a folder, and starts them as in a container,
 * but without Docker.
 */
const repository = fileURLToPath(new URL('../../../..', import.meta.url));
const run = promisify(execFile);
const server = process.env.TEST_POSTGRES_URL ?? '';
const prefix = `image_${randomBytes(4).toString('hex')}`;
const nameOf = (name: ServiceName) => `${prefix}_${name.replace('-', '_')}`;

let image: string;
let owners: Record<ServiceName, string>;
let environments: Record<string, Record<string, string>>;

beforeAll(async () => {
  image = await mkdtemp(join(tmpdir(), 'plataforma-image-'));
  await copySources();
  await install();
  await addPages();
  await prepare();
});
afterAll(async () => {
  await rm(image, { recursive: true, force: true });
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  for (const name of serviceNames.map(nameOf)) {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    for (const role of [`${name}_app`, `${name}_owner`]) await client.query(`DROP ROLE IF EXISTS ${role}`);
  }
  await client.end();
});

async function copySources(): Promise<void> {
  const lines = (await readFile(join(repository, '.dockerignore'), 'utf8')).split('\n');
  const excluded = lines.flatMap((line) => (line.startsWith('**/') ? [line.slice('**/'.length)] : []));
  const filter = (path: string) => !excluded.some((pattern) => matchesGlob(basename(path), pattern));
  for (const entry of ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', 'packages', 'services']) {
    await cp(join(repository, entry), join(image, entry), { recursive: true, filter });
  }
}

async function install(): Promise<void> {
  const dockerfile = await readFile(join(repository, 'deploy', 'Dockerfile'), 'utf8');
  const [, flags = ''] =
    /pnpm install (.+) --store-dir=\S+ --filter-prod="@plataforma\/\$\{SERVICE\}-service/.exec(dockerfile) ??
    [];
  const modules = await readFile(join(repository, 'node_modules', '.modules.yaml'), 'utf8');
  const [, store = ''] = /"storeDir": "(.+)"/.exec(modules) ?? [];
  const filters = [...serviceNames, 'web'].map((name) => `--filter-prod=@plataforma/${name}-service...`);
  const args = ['install', ...flags.split(' '), '--offline', `--store-dir=${store}`, ...filters];
  await runPnpm(args, image);
  for (const name of ['local', 'testing', 'lab'])
    await rm(join(image, 'packages', name), { recursive: true });
}

/**
 * Adds the built pages and docs, without the tools that build them, as the Dockerfile does for `web` and the
 * gateway.
 */
async function addPages(): Promise<void> {
  await Promise.all([buildPages(), buildDocs()]);
  const docs = 'packages/docs/built/site';
  await cp(join(repository, docs), join(image, docs), { recursive: true });
  const web = join(image, 'services/web');
  for (const name of ['pages', 'build', 'vite.config.ts']) await rm(join(web, name), { recursive: true });
  await cp(join(repository, 'services/web/built'), join(web, 'built'), { recursive: true });
}

async function prepare(): Promise<void> {
  const secrets = await recallSecrets(image);
  const { passwords } = databasePasswordsFor(serviceNames, {});
  const options = { names: serviceNames, nameOf, passwords, say() {} };
  const { owner, application } = await ensureDatabases(server, options);
  const { called: ports } = await chooseAddresses({ portsByName: {}, gatewayPort: null, replicas: 1 });
  const common = {
    broker: { url: await claimVhost(), hasUsers: true },
    databaseUrls: { application },
    logLevel: 'info',
    drainMs: 0,
  };
  owners = owner;
  environments = Object.fromEntries(
    serviceNames.map((name) => [name, settingsOf(name, { secrets, ports, ...common })]),
  );
  environments.web = webSettingsOf({ secrets, ports, ...common });
}

/** Starts a program of a service with the same environment as in a container of the image. */
function start(name: ServiceName | 'web', file: 'main' | 'migrate', env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join('services', name, 'src', `${file}.ts`)], {
    cwd: image,
    env: { PATH: process.env.PATH ?? '', NODE_ENV: 'production', ...environments[name], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += String(chunk);
    });
  }
  const ended = once(child, 'close').then(([code]) => ({ code, output }));
  return { child, ended };
}

async function healthCheck(): Promise<string[]> {
  const dockerfile = await readFile(join(repository, 'deploy', 'Dockerfile'), 'utf8');
  const [, command = ''] = /^HEALTHCHECK [^[]+CMD (\[.+\])$/m.exec(dockerfile) ?? [];
  return z
    .tuple([z.literal('node')], z.string())
    .parse(JSON.parse(command))
    .slice(1);
}

const ofEach = <T>(what: (name: ServiceName) => Promise<T>) => Promise.all(serviceNames.map(what));
const unprepared = (name: ServiceName) =>
  new RegExp(`may not work with the tables|is older than this release.*node services/${name}/src/migrate.ts`);

test('a service refuses to start on an unmigrated database', async () => {
  await ofEach(async (name) => {
    const { code, output } = await start(name, 'main').ended;

    expect({ name, code, output }).toEqual({
      name,
      code: 1,
      output: expect.stringMatching(unprepared(name)),
    });
  });
});

test('a migrated service starts, becomes healthy and stops on SIGTERM', async () => {
  await ofEach(async (name) => {
    const migrated = await start(name, 'migrate', { MIGRATION_DATABASE_URL: owners[name] }).ended;
    expect({ name, ...migrated }).toMatchObject({ code: 0, output: expect.stringContaining('up to date') });
  });

  const check = await healthCheck();
  const started = [...serviceNames, 'web' as const].map((name) => ({ name, ...start(name, 'main') }));
  const ends = Promise.all(started.map(async ({ name, ended }) => ({ name, ...(await ended) })));
  try {
    for (const { name } of started) {
      const healthy = () => run(process.execPath, check, { env: { PORT: environments[name]?.PORT ?? '' } });
      await eventually(healthy, { timeoutMs: 120_000 });
    }
  } finally {
    for (const { child } of started) child.kill('SIGTERM');
  }

  for (const end of await ends) expect(end).toMatchObject({ code: 0 });
});

test('the image of `web` has pages and no build tools', async () => {
  const web = join(image, 'services/web');

  expect(await readdir(join(web, 'built'))).toEqual(
    expect.arrayContaining(['checkout', 'checkout-server', 'dashboard']),
  );
  const packages = await readdir(join(web, 'node_modules'));
  expect(packages).toContain('express');
  expect(packages.filter((name) => /vite|react|preact|tanstack/.test(name))).toEqual([]);
});
