import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { scratchFolders } from '@plataforma/testing/scratch';
import {
  databasePasswordsFor,
  passwordsFor,
  recallSecrets,
  rememberSecrets,
} from '../src/platform/secrets.ts';

const scratchDir = scratchFolders();

test('the next start finds the secrets of a folder again', async () => {
  const dataDir = scratchDir();
  const first = await recallSecrets(dataDir);
  const { passwords, remembered } = databasePasswordsFor(['ledger', 'charges'], first.databasePasswords);

  await rememberSecrets(dataDir, { ...first, databasePasswords: remembered });

  const second = await recallSecrets(dataDir);
  expect(second).toEqual({ ...first, databasePasswords: remembered });
  expect(databasePasswordsFor(['ledger', 'charges'], second.databasePasswords)).toEqual({
    passwords,
    remembered,
  });
  expect(new Set(Object.values(remembered)).size).toBe(4);
});

test('an older folder preserves its secrets and gets database passwords', async () => {
  const dataDir = scratchDir();
  const { databasePasswords: _none, ...before } = await recallSecrets(dataDir);
  await writeFile(join(dataDir, 'secrets.json'), JSON.stringify(before));

  const recalled = await recallSecrets(dataDir);

  expect(recalled).toEqual({ ...before, databasePasswords: {} });
  expect(passwordsFor(['ledger'], recalled.databasePasswords).ledger).toMatch(/^[\w-]{24}$/);
  expect(JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'))).toEqual(before);
});

test('a new service gets a password without changing the others', () => {
  const passwords = passwordsFor(['ledger', 'withdrawals'], { ledger: 'known' });

  expect(passwords).toEqual({ ledger: 'known', withdrawals: expect.stringMatching(/^[\w-]{24}$/) });
});

test('an empty password is refused, because it would admit any caller', () => {
  expect(() => passwordsFor(['ledger'], { ledger: '' })).toThrow('the password of ledger is empty');
});
