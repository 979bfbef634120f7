import { chmod, cp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { newTestFolder } from '@plataforma/testing/runner/test-folders';
import type { Mutant } from './mutant.ts';

const LEFT_OUT = ['node_modules', '.git', '.local'];

export interface WorkingCopy {
  readonly root: string;
  /** Puts the mutant in; what that returns takes it out again. */
  plant(mutant: Mutant): Promise<() => Promise<void>>;
  remove(): Promise<void>;
}

/** A copy of the checkout as it is now, in which files may be changed. It shares the installed packages. */
export async function copyOf(checkout: string): Promise<WorkingCopy> {
  const root = await realpath(await newTestFolder());
  // PostgreSQL may run under another account, which has to pass through.
  await chmod(root, 0o711);
  await cp(checkout, root, {
    recursive: true,
    // What links a package to its neighbour then leads to the neighbour in the copy.
    verbatimSymlinks: true,
    filter: (path) => !LEFT_OUT.includes(relative(checkout, path)),
  });
  await symlink(join(checkout, 'node_modules'), join(root, 'node_modules'));
  return {
    root,
    async plant({ file, code }) {
      const path = join(root, file);
      const original = await readFile(path);
      await writeFile(path, code);
      return () => writeFile(path, original);
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}
