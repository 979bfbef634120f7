import { runIn } from '@plataforma/testing/packed';

const STRICT = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
const RUNTIME = ['--target', 'es2022', '--lib', 'es2022,dom,dom.iterable', '--types', ''];

/**
 * Compiles a file as in a merchant's project with strict options. Throws an error with the compiler's output
 * if the file has faults.
 */
export async function compile(folder: string, file: string, options: readonly string[]): Promise<void> {
  const compiler = `${process.cwd()}/packages/pack/node_modules/.bin/tsc`;
  await runIn(folder, compiler, [...STRICT, ...RUNTIME, ...options, file]);
}
