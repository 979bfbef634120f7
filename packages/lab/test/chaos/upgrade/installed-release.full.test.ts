import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { checkOut } from '../../../src/chaos/upgrade/checkout.ts';

// This test only installs a release and loads its services. `npm run chaos -- --upgrade` replaces a release
// under load.
test('the release of a commit is installed, and its services load', async () => {
  const home = await mkdtemp(join(tmpdir(), 'plataforma-release-'));
  try {
    const { root } = await checkOut('HEAD', join(home, 'repository'));
    const services = await readdir(join(root, 'services'));

    expect(services).toEqual(expect.arrayContaining(['charges', 'gateway', 'ledger', 'web', 'withdrawals']));
    for (const service of services) {
      // Without settings a service fails, but only after it has loaded all of its modules.
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
});
