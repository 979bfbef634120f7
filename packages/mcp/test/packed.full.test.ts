import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { scratchFolders } from '@plataforma/testing/scratch';
import { VERSION } from '../src/version.ts';
import { startAssistant } from './support/assistant.ts';

const newFolder = scratchFolders();
const run = promisify(execFile);
const PACK = join(__dirname, '../../pack/src/main.ts');
const MOST_BYTES = 200_000;

test('the tarball is one program without dependencies that serves tools', async () => {
  const [packed, folder] = [newFolder(), newFolder()];
  await run(process.execPath, [PACK, packed]);
  const tarball = join(packed, readdirSync(packed).find((name) => name.startsWith('plataforma-mcp-')) ?? '');
  await run('tar', ['xzf', tarball, '-C', folder]);
  const program = join(folder, 'package/dist/plataforma-mcp.js');
  const manifest = JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8'));

  const assistant = await startAssistant({ baseUrl: 'http://127.0.0.1:1', key: 'sk_sandbox_1', program });
  const { tools } = await assistant.client.listTools();
  await assistant.client.close();

  expect(readdirSync(join(folder, 'package')).sort()).toEqual([
    'LICENSE',
    'README.md',
    'dist',
    'package.json',
  ]);
  expect(manifest).toMatchObject({ version: VERSION, bin: { 'plataforma-mcp': 'dist/plataforma-mcp.js' } });
  expect(Object.keys(manifest).filter((field) => /dependencies/i.test(field))).toEqual([]);
  expect(statSync(tarball).size).toBeLessThanOrEqual(MOST_BYTES);
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['listCharges', 'searchDocs']));
}, 400_000);
