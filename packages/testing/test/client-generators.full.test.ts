import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from '@jest/globals';
import { openApiDocument } from '@plataforma/api-docs/openapi';
import { api } from '@plataforma/contracts';
import { runIn } from '../src/packed.ts';
import { scratchFolders } from '../src/scratch.ts';

const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
// The repository's own compiler checks the generated code, not TypeScript 5, which the client generators use.
const tsc = join(modules, '../../../node_modules/.bin/tsc');
const scratchDir = scratchFolders();
let folder: string;

beforeEach(() => {
  folder = scratchDir();
  mkdirSync(join(folder, 'made'));
  symlinkSync(modules, join(folder, 'node_modules'));
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(openApiDocument(api)));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['made/**/*.ts'] }),
  );
});

const compilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  types: [],
};

const run = (command: string, args: readonly string[]) => runIn(folder, command, args);

test.each<[string, string, string[]]>([
  ['openapi-typescript', 'openapi-typescript', ['openapi.json', '-o', 'made/schema.ts']],
  ['Hey API', 'openapi-ts', ['-i', 'openapi.json', '-o', 'made', '-c', '@hey-api/client-fetch']],
  ['oazapfts', 'oazapfts', ['openapi.json', 'made/api.ts']],
  ['swagger-typescript-api', 'swagger-typescript-api', ['generate', '-p', 'openapi.json', '-o', 'made']],
])('%s makes a client that compiles', async (_name, command, args) => {
  await run(join(modules, '.bin', command), args);

  const files = await run(tsc, ['-p', '.', '--listFilesOnly']);
  expect(files).toContain('/made/');
  await run(tsc, ['-p', '.']);
});
