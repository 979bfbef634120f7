import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PACKAGES = fileURLToPath(new URL('../../..', import.meta.url));
const OPTIONS = ['--target', 'es2022', '--module', 'nodenext', '--strict', '--allowImportingTsExtensions'];
const EMIT = [
  '--declaration',
  '--emitDeclarationOnly',
  '--noCheck',
  '--noResolve',
  '--removeComments',
  'false',
];

/**
 * Returns the type declarations of the modules, without their imports. The modules must therefore declare all
 * types that they use.
 */
export async function declarationsOf(modules: readonly string[]): Promise<string[]> {
  const out = await mkdtemp(join(tmpdir(), 'declarations-'));
  const compiler = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc');
  try {
    const files = modules.map((each) => join(PACKAGES, each));
    const args = [compiler, ...OPTIONS, ...EMIT, '--rootDir', PACKAGES, '--outDir', out, ...files];
    await promisify(execFile)(process.execPath, args, { cwd: PACKAGES });
    const emitted = modules.map((each) => readFile(join(out, each.replace(/\.ts$/, '.d.ts')), 'utf8'));
    return (await Promise.all(emitted)).map(withoutImports);
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

function withoutImports(text: string): string {
  return text
    .replace(/^(?:import|export)\s[^;]*?\sfrom\s+'[^']+';\n/gm, '')
    .replace(/^export \{[^}]*\};\n/gm, '')
    .trim();
}
