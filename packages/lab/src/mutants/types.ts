import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { toolEnvironment } from '@plataforma/testing/runner/jest-command';

/** Whether the compiler accepts a checkout, which `npm test` asks before anything else. */
export async function compiles(root: string): Promise<boolean> {
  const options = { cwd: root, env: toolEnvironment(root) };
  const compiler = promisify(execFile)('tsc', ['--noEmit', '-p', 'tsconfig.base.json'], options);
  return compiler.then(
    () => true,
    (error: { code?: unknown }) => {
      if (typeof error.code === 'number') return false;
      throw error;
    },
  );
}
