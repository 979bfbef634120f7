import { chmod, cp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { newTestFolder } from '@plataforma/testing/runner/test-folders';
import type { Mutant } from './mutant.ts';

const LEFT_OUT = ['node_modules', '.git', '.local'];

export interface WorkingCopy {
  readonly root: string;
  /** Writes the mutant into the copy. The returned function restores the file. */
  plant(mutant: Mutant): Promise<() => Promise<void>>;
  remove(): Promise<void>;
}

/** Copies the current checkout, so that its files can change. The copy shares the installed packages. */
export async function copyOf(checkout: string): Promise<WorkingCopy> {
  const root = await realpath(await newTestFolder());
  // Allow access, because PostgreSQL may run under another account.
  await chmod(root, 0o711);
  await cp(checkout, root, {
    recursive: true,
    // Keep relative links, so that a link between packages stays inside the copy.
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
