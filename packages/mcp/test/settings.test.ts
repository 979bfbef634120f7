import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { scratchFolders } from '@plataforma/testing/scratch';
import { readSettings } from '../src/settings.ts';

const PROGRAM = join(__dirname, '../src/main.ts');
const newFolder = scratchFolders();
const PLATAFORMA_URL = 'https://api.example/';
const nowhere = { PLATAFORMA_URL, XDG_CONFIG_HOME: '/nonexistent' };

test('address and key come from the environment', () => {
  const env = { ...nowhere, PLATAFORMA_API_KEY: 'sk_sandbox_1' };

  expect(readSettings([], env)).toEqual({
    baseUrl: 'https://api.example',
    apiKey: 'sk_sandbox_1',
    isLive: false,
    mayWrite: false,
  });
});

test('address and key come from the command line’s log-in', async () => {
  const XDG_CONFIG_HOME = await newFolder();
  await mkdir(join(XDG_CONFIG_HOME, 'plataforma'));
  const profile = { baseUrl: 'http://localhost:8080', sandboxKey: 'sk_sandbox_2', liveKey: 'sk_live_2' };
  await writeFile(join(XDG_CONFIG_HOME, 'plataforma', 'loja.json'), JSON.stringify(profile));

  expect(readSettings(['--profile', 'loja'], { XDG_CONFIG_HOME })).toMatchObject({ apiKey: 'sk_sandbox_2' });
  expect(readSettings(['--profile=loja', '--live', '--write'], { XDG_CONFIG_HOME })).toEqual({
    baseUrl: 'http://localhost:8080',
    apiKey: 'sk_live_2',
    isLive: true,
    mayWrite: true,
  });
});

test('a key is used only with its own address', async () => {
  const PLATAFORMA_HOME = newFolder();
  const profile = { baseUrl: 'http://localhost:8080', sandboxKey: 'sk_sandbox_3' };
  await writeFile(join(PLATAFORMA_HOME, 'default.json'), JSON.stringify(profile));
  const read = (env: object) => () => readSettings([], { PLATAFORMA_HOME, ...env });

  expect(read({})()).toMatchObject({ apiKey: 'sk_sandbox_3' });
  expect(read({ PLATAFORMA_URL: 'https://other.example' })).toThrow(/no sandbox key/);
  expect(read({ PLATAFORMA_API_KEY: 'sk_sandbox_1' })).toThrow(/no address/);
});

test('an environment address equal to the log-in’s is accepted', async () => {
  const PLATAFORMA_HOME = newFolder();
  const profile = { baseUrl: 'http://localhost:8080', sandboxKey: 'sk_sandbox_3' };
  await writeFile(join(PLATAFORMA_HOME, 'default.json'), JSON.stringify(profile));

  const settings = readSettings([], { PLATAFORMA_HOME, PLATAFORMA_URL: profile.baseUrl });

  expect(settings).toMatchObject({ baseUrl: profile.baseUrl, apiKey: 'sk_sandbox_3' });
});

test.each([
  ['a key of production without --live', [], 'sk_live_1', /start with --live/],
  ['--live with a key of the sandbox', ['--live'], 'sk_sandbox_1', /--live needs a key of production/],
  ['a key as an argument', ['--profile', 'sk_live_1'], undefined, /a key is never an argument/],
  ['no key at all', [], undefined, /no sandbox key: set PLATAFORMA_API_KEY/],
  ['a profile with a path', ['--profile', '../x'], 'sk_sandbox_1', /--profile: \.\.\/x/],
  ['an unknown option', ['--wirte'], 'sk_sandbox_1', /--write {9}adds the tools that change data/],
])('%s is refused with a remedy', (_what, args, key, message) => {
  expect(() => readSettings(args, { ...nowhere, PLATAFORMA_API_KEY: key })).toThrow(message);
});

test('the program exits with 2 without logging the key', async () => {
  const env = { ...nowhere, PLATAFORMA_API_KEY: 'sk_live_secret' };

  const ended = await promisify(execFile)(process.execPath, [PROGRAM], { env }).catch((error) => error);

  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toMatch(/^plataforma-mcp: this is a key of production: start with --live/);
  expect(ended.stderr).not.toContain('sk_live_secret');
});

test('a key never goes to a public host without https', async () => {
  const env = { PLATAFORMA_URL: 'http://10.example.com', PLATAFORMA_API_KEY: 'sk_sandbox_secret' };

  const ended = await promisify(execFile)(process.execPath, [PROGRAM], { env }).catch((error) => error);

  expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(/10\.example\.com in clear/) });
});

test('the program refuses the dashboard’s address and names the API’s', async () => {
  const pages = createServer(({ url }, response) => {
    if (url === '/docs') return response.writeHead(302, { location: 'https://api.example/docs' }).end();
    return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<!doctype html>');
  });
  await once(pages.listen(0, '127.0.0.1'), 'listening');
  const { port } = pages.address() as AddressInfo;
  const env = { PLATAFORMA_URL: `http://127.0.0.1:${port}`, PLATAFORMA_API_KEY: 'sk_sandbox_secret' };

  const ended = await promisify(execFile)(process.execPath, [PROGRAM], { env }).catch((error) => error);
  pages.close();

  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toContain('is the dashboard, not the API: set PLATAFORMA_URL=https://api.example\n');
});
