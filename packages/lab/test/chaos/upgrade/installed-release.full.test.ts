import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { checkOut } from '../../../src/chaos/upgrade/checkout.ts';

// `npm run chaos -- --upgrade` replaces a release under load.
test('the release of a commit is installed, and its services load', async () => {
  const home = await mkdtemp(join(tmpdir(), 'plataforma-release-'));
  try {
    const { root } = await checkOut('HEAD', join(home, 'repository'));
    const services = await readdir(join(root, 'services'));

    expect(services).toEqual(expect.arrayContaining(['charges', 'gateway', 'ledger', 'web', 'withdrawals']));
    for (const service of services) {
      // A service loads all modules before it reads its settings.
      const main = join(root, 'services', service, 'src/main.ts');
      const started = promisify(execFile)(process.execPath, [main], { env: {} });
      await expect(started).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringContaining('PORT: is missing'),
      });
    }
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}, 120_000);
