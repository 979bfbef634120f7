import { chmod, mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { scratchFolders } from '@plataforma/testing/scratch';
import { closeDataFolder } from '../src/data-folder.ts';

const scratchDir = scratchFolders();
const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
/** If the test runs as root, PostgreSQL's account needs permission to enter the data folder. */
const closed = process.getuid?.() === 0 ? '711' : '700';

describe('a data folder', () => {
  test('is readable by its user only', async () => {
    const dataDir = join(scratchDir(), 'data');

    await closeDataFolder(dataDir);

    expect(await modeOf(dataDir)).toBe(closed);
  });

  test('of an earlier release is closed to other users', async () => {
    const [dataDir, outside] = [scratchDir(), join(scratchDir(), 'outside')];
    const mnesia = join(dataDir, 'rabbitmq', 'mnesia');
    const [log, other] = [join(mnesia, 'a.log'), join(dataDir, 'notes.txt')];
    await mkdir(mnesia, { recursive: true });
    for (const file of [log, other, outside]) await writeFile(file, 'text');
    await symlink(outside, join(mnesia, 'link'));
    for (const folder of [dataDir, join(dataDir, 'rabbitmq'), mnesia]) await chmod(folder, 0o755);
    for (const file of [log, other, outside]) await chmod(file, 0o644);

    await closeDataFolder(dataDir);
    await closeDataFolder(dataDir);

    const modes = await Promise.all([dataDir, mnesia, log, other, outside].map(modeOf));
    expect(modes).toEqual([closed, '700', '600', '644', '644']);
  });

  test('that is writable by all users, like /tmp, is unchanged', async () => {
    const dataDir = scratchDir();
    await chmod(dataDir, 0o1777);

    await closeDataFolder(dataDir);

    expect(await modeOf(dataDir)).toBe('777');
  });
});
