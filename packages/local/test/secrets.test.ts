import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { scratchFolders } from '@plataforma/testing/scratch';
import { passwordsFor, recallSecrets, rememberSecrets } from '../src/platform/secrets.ts';

const scratchDir = scratchFolders();

test('the secrets of a folder are found again by the next start', async () => {
  const dataDir = scratchDir();
  const first = await recallSecrets(dataDir);
  const databasePasswords = passwordsFor(['ledger', 'charges'], first.databasePasswords);

  await rememberSecrets(dataDir, { ...first, databasePasswords });

  const second = await recallSecrets(dataDir);
  expect(second).toEqual({ ...first, databasePasswords });
  expect(passwordsFor(['ledger', 'charges'], second.databasePasswords)).toEqual(databasePasswords);
  expect(databasePasswords.ledger).not.toBe(databasePasswords.charges);
});

test('those of a folder from before databases had roles are kept, and passwords are added', async () => {
  const dataDir = scratchDir();
  const { databasePasswords: _none, ...before } = await recallSecrets(dataDir);
  await writeFile(join(dataDir, 'secrets.json'), JSON.stringify(before));

  const recalled = await recallSecrets(dataDir);

  expect(recalled).toEqual({ ...before, databasePasswords: {} });
  expect(passwordsFor(['ledger'], recalled.databasePasswords).ledger).toMatch(/^[\w-]{24}$/);
  expect(JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'))).toEqual(before);
});

test('a service that is new in a folder gets a password, and the others keep theirs', () => {
  const passwords = passwordsFor(['ledger', 'withdrawals'], { ledger: 'known' });

  expect(passwords).toEqual({ ledger: 'known', withdrawals: expect.stringMatching(/^[\w-]{24}$/) });
});
