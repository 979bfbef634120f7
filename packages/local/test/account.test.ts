import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { scratchFolders } from '@plataforma/testing/scratch';
import { closedTo, commandAs, unprivilegedAccount } from '../src/account.ts';

const scratchDir = scratchFolders();

/**
 * A program that prints its user id. It fails if access(2), which PostgreSQL also calls, denies the execution
 * of the given file.
 */
const program = `
  require('node:fs').accessSync(process.argv[1], require('node:fs').constants.X_OK);
  process.stdout.write(String(process.getuid()));`;

describe('an unprivileged program', () => {
  test('reads files under a folder closed to its account', async () => {
    const folder = join(scratchDir(), 'closed');
    const file = join(folder, 'program');
    await mkdir(folder, { mode: 0o700 });
    await writeFile(file, '', { mode: 0o755 });
    const account = await unprivilegedAccount(folder);

    const {
      command,
      args,
      account: runAs,
    } = await commandAs(account, [process.execPath, '--eval', program, file], [folder]);
    const { stdout } = await promisify(execFile)(command, args, { env: {}, ...runAs });

    expect(Number(stdout)).toBe(account?.uid ?? process.getuid?.());
  });

  test('is blocked by each foreign parent folder closed to it', async () => {
    const outer = scratchDir();
    const [closed, own, open] = [join(outer, 'a'), join(outer, 'a', 'b'), join(outer, 'a', 'b', 'c')];
    for (const folder of [closed, own, open]) await mkdir(folder);
    await chmod(closed, 0o700);
    await chmod(own, 0o700);
    await chmod(open, 0o711);
    const stranger = { uid: 65_534, gid: 65_534 };
    const inside = (paths: string[]) => paths.filter((path) => path.startsWith(outer));
    const owner = { uid: process.getuid?.() ?? 0, gid: 0 };
    const member = { uid: 65_534, gid: process.getgid?.() ?? 0 };

    expect(inside(await closedTo(stranger, [open]))).toEqual([closed, own]);
    expect(inside(await closedTo(owner, [open]))).toEqual([]);
    await chmod(own, 0o710);
    expect(inside(await closedTo(member, [open]))).toEqual([closed]);
  });
});
