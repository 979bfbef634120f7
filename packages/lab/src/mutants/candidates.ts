import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LONG_TEST } from '@plataforma/testing/runner/tiers';
import { type Mutant, mutantsOf } from './mutant.ts';
import type { TestFile } from './order.ts';

/** Returns every mutant of the source files in the services' domain, store and operations folders. */
export async function candidatesIn(root: string): Promise<Mutant[]> {
  const files = await filesIn(root, 'services/*/src/**/{domain,store,operations}/**/*.ts');
  return (await Promise.all(files.map(({ path, code }) => mutantsOf(path, code)))).flat();
}

/** Returns the test files of a service, except the long tests (`*.full.test.ts`). */
export async function testsOf(service: string, root: string): Promise<TestFile[]> {
  const tests = await filesIn(root, `services/${service}/test/**/*.test.ts`);
  return tests.filter(({ path }) => !LONG_TEST.test(path));
}

async function filesIn(root: string, pattern: string): Promise<TestFile[]> {
  const paths: string[] = [];
  for await (const path of glob(pattern, { cwd: root })) paths.push(path);
  const read = async (path: string) => ({ path, code: await readFile(join(root, path), 'utf8') });
  return Promise.all(paths.sort().map(read));
}
