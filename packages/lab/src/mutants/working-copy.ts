import { chmod, cp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { newTestFolder } from '@plataforma/testing/runner/test-folders';
import type { Mutant } from './mutant.ts';

const LEFT_OUT = ['node_modules', '.git', '.local'];

export interface WorkingCopy {
  readonly root: string;
  /** Writes the mutant into the copy. Returns a function that restores the original file. */
  plant(mutant: Mutant): Promise<() => Promise<void>>;
  remove(): Promise<void>;
}

/**
 * Copies the current checkout, so that mutants can change its files. The copy uses the installed packages of
 * the checkout.
 */
export async function copyOf(checkout: string): Promise<WorkingCopy> {
  const root = await realpath(await newTestFolder());
  // Other accounts need access to the folder, because PostgreSQL may run under an account of its own.
  await chmod(root, 0o711);
  await cp(checkout, root, {
    recursive: true,
    // Links stay relative, so that a link between packages points inside the copy.
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
