import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Loopback, startLoopback } from '@plataforma/testing';
import { scratchFolders } from '@plataforma/testing/scratch';
import { type CommandLine, commandLineOf, program } from './support/command-line.ts';

const CSV = 'id,amount\r\n1,10.50\r\n';
const meta = { total: 1, page: 1, limit: 20, pages: 1 };
/** An event with a date that does not exist. */
const impossible = {
  ...{ id: '01a20000-0000-7000-8000-000000000001', event: 'charge.paid', resourceId: 'r1', sequence: 1 },
  ...{ data: {}, createdAt: '2026-99-99T99:99:99Z' },
};
const unwritten = (code: string) => expect.stringContaining(`cannot write the output: ${code}`);

const newFolder = scratchFolders();
const bodies: string[] = [];
const files: string[] = [];
let api: Loopback;
let settings: Record<string, string>;
let folder: string;
let cli: CommandLine;

beforeAll(async () => {
  api = await startLoopback(async (request, response) => {
    bodies.push(await text(request));
    if (/csv|ofx/.test(request.headers.accept ?? '')) {
      files.push(request.url ?? '');
      response.writeHead(200, { 'content-type': 'text/csv' }).end(CSV);
      return;
    }
    // A listener's long request stays open.
    if (request.url?.includes('wait=')) return;
    if (request.url?.startsWith('/v1/events')) {
      const data = request.url.includes('startDate') ? [] : [impossible];
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data, meta }));
      return;
    }
    const isList = request.method === 'GET' && request.url?.startsWith('/v1/charges');
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(isList ? { data: [{ id: '1' }], meta } : { data: { available: 1 } }));
  });
  settings = { PLATAFORMA_URL: api.url, PLATAFORMA_API_KEY: `sk_sandbox_${'a'.repeat(22)}`, LANG: 'en_US' };
});
afterAll(() => api.stop());
beforeEach(() => {
  folder = newFolder();
  cli = commandLineOf(folder, settings);
});

/** Runs a command line whose standard output or standard error is this file. */
async function writingTo(path: string, stream: 'stdout' | 'stderr', args: readonly string[]) {
  const env = { PATH: process.env.PATH, PLATAFORMA_HOME: folder, NODE_OPTIONS: '', ...settings };
  const file = openSync(path, 'a');
  const isOutput = stream === 'stdout';
  const child = spawn(process.execPath, [program, ...args], {
    env,
    stdio: ['ignore', isOutput ? file : 'pipe', isOutput ? 'pipe' : file],
  });
  const other = child.stderr ?? child.stdout;
  const [printed, [code]] = await Promise.all([other && text(other), once(child, 'close')]);
  return [code, printed];
}

describe('output that cannot be written', () => {
  test.each([
    [['export', 'statement']],
    [['export', 'statement', '--output', '-']],
    [['charges', 'list', '--json']],
    [['charges', 'list']],
    [['balance']],
    [['--help']],
    [['complete', '--', 'cha']],
  ])('%j exits with 1 and a message on a full disk', async (args) => {
    expect(await writingTo('/dev/full', 'stdout', args)).toEqual([1, unwritten('ENOSPC')]);
  });

  test('a full device named by --output exits with 1', async () => {
    // Use a link to the device. If the program wrongly replaces the file, it replaces the link and not the
    // device.
    const name = join(folder, 'full');
    symlinkSync('/dev/full', name);

    const { code, err } = await cli.run(['export', 'statement', '--output', name]);

    expect([code, err]).toEqual([1, unwritten(`${name}: the disk is full`)]);
  });

  test.each([[['balance']], [['export', 'statement']]])(
    '%j is silent when its reader stops',
    async (args) => {
      const { child, ended } = cli.start(args);
      child.stdout?.destroy();

      expect(await ended).toMatchObject({ code: 0, err: '' });
    },
  );

  test('a message that cannot be written changes no exit code', async () => {
    expect(await writingTo('/dev/full', 'stderr', ['no-such-command'])).toEqual([2, '']);
  });
});

describe('a date that does not exist', () => {
  test('is a dash in a list', async () => {
    const { code, out } = await cli.run(['events', 'list']);

    expect([code, out]).toEqual([0, expect.stringMatching(/charge\.paid .* –/)]);
  });

  test('ends no listener', async () => {
    const listening = cli.start(['listen']);

    await listening.shows('Listening');

    expect((await listening.stop()).err).not.toContain('RangeError');
  });
});

describe('--output', () => {
  const save = (name: string) => cli.run(['export', 'statement', '--output', join(folder, name)]);

  const missing = 'the folder does not exist';
  test.each([
    ['a link to a file in a missing folder', 'link', missing],
    ['a file in a missing folder', 'none/file', missing],
    ['a folder', 'sub', 'the path is a folder'],
    ['a file below a file', 'regular/file', 'the path leads through a file'],
  ])('exits with 1 and names the file for %s', async (_case, name, why) => {
    symlinkSync('none/target', join(folder, 'link'));
    mkdirSync(join(folder, 'sub'));
    writeFileSync(join(folder, 'regular'), '');
    const before = readdirSync(folder);

    const { code, err } = await save(name);

    expect([code, err]).toEqual([1, `cannot write the output: ${join(folder, name)}: ${why}\n`]);
    expect(readdirSync(folder)).toEqual(before);
  });

  test('writes into a named pipe', async () => {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    const bytes = Buffer.alloc(100);

    const { code } = await save('pipe');

    expect([code, lstatSync(path).isFIFO()]).toEqual([0, true]);
    expect(bytes.toString('utf8', 0, readSync(pipe, bytes))).toBe(CSV);
  });

  test.each([
    ['an existing file', 'old'],
    ['a missing file', null],
  ])('writes through a link to %s', async (_case, old) => {
    if (old !== null) writeFileSync(join(folder, 'target'), old);
    symlinkSync('target', join(folder, 'link'));

    const { code } = await save('link');

    expect([code, lstatSync(join(folder, 'link')).isSymbolicLink()]).toEqual([0, true]);
    expect(readFileSync(join(folder, 'target'), 'utf8')).toBe(CSV);
    expect(readdirSync(folder).toSorted()).toEqual(['link', 'target']);
  });

  test('replaces a regular file', async () => {
    writeFileSync(join(folder, 'file'), 'old and longer than the statement');

    expect(await save('file')).toMatchObject({ code: 0, out: '' });
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe(CSV);
    expect(lstatSync(join(folder, 'file')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['file']);
  });

  test('with - writes to standard output', async () => {
    const args = ['export', 'statement', '--output', '-'];

    expect(await cli.run(args)).toEqual({ code: 0, out: CSV, err: '' });
  });

  test('to an open descriptor appends like the shell', async () => {
    const file = join(folder, 'opened');
    writeFileSync(file, 'first\n');

    const [code] = await writingTo(file, 'stdout', ['export', 'statement', '--output', '/proc/self/fd/1']);

    expect([code, readFileSync(file, 'utf8')]).toEqual([0, `first\n${CSV}`]);
    expect(readdirSync(folder)).toEqual(['opened']);
  });
});

describe('export', () => {
  test.each([
    ['pt_BR', [], { locale: 'pt-BR' }],
    ['en_US', [], { locale: 'en' }],
    ['en_US', ['--lang', 'pt'], { locale: 'pt-BR' }],
    ['pt_BR', ['--format', 'ofx'], { locale: 'pt-BR' }],
    ['pt_BR', ['--locale', 'en', '--time-zone', 'UTC'], { locale: 'en', timeZone: 'UTC' }],
    [
      'pt_BR',
      ['--from', '2026-11-01', '--to', '2026-11-30'],
      { startDate: '2026-11-01', endDate: '2026-11-30', locale: 'pt-BR' },
    ],
  ])('under %s with %j requests %j', async (LANG, args, query) => {
    await commandLineOf(folder, { ...settings, LANG }).run(['export', 'statement', ...args]);

    expect(Object.fromEntries(new URL(files.at(-1) ?? '', api.url).searchParams)).toEqual(query);
  });

  test('--help names every filter and its values', async () => {
    const { out } = await cli.run(['export', '--help']);

    for (const line of [
      '--format csv|ofx',
      '--from …',
      '--locale pt-BR|en',
      '--time-zone …',
      '--payment-method PIX|CARD|BOLETO',
    ])
      expect(out).toContain(`  ${line}\n`);
    expect(out).toMatch(/--status PENDING\|PAID\|.*\|REJECTED/);
    expect(out).not.toMatch(/--(?:page|limit|after|start-date|end-date)\b/);
  });
});

test.each([
  ['UTF-8', Buffer.from('\ufeff{"amount":250}')],
  ['UTF-16', Buffer.from('\ufeff{"amount":250}', 'utf16le')],
  ['no', Buffer.from('{"amount":250}')],
])('a file of --data may have %s byte order mark', async (_encoding, bytes) => {
  const file = join(folder, 'body.json');
  writeFileSync(file, bytes);

  const { code } = await cli.run(['charges', 'create', '--data', `@${file}`]);

  expect([code, bodies.at(-1)]).toEqual([0, '{"amount":250}']);
});

test('a file of trigger may have a byte order mark', async () => {
  const file = join(folder, 'mine.json');
  const { out } = await cli.run(['trigger', 'charge.paid', '--print']);
  writeFileSync(file, `\ufeff${out}`);

  const again = await cli.run(['trigger', file, '--print']);

  expect(again).toMatchObject({ code: 0, err: '' });
  expect(JSON.parse(again.out)).toEqual(JSON.parse(out));
});
