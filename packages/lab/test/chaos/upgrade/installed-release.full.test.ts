import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
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
    const main = join(root, 'services/charges/src/main.ts');

    // All modules are loaded before it reads its settings.
    const started = promisify(execFile)(process.execPath, [main], { env: {} });

    await expect(started).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('DATABASE_URL') });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}, 120_000);
