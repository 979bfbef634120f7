import { expect, test } from '@jest/globals';
import { createSecretBox, recordSealingKey } from '@plataforma/data';
import { createLog } from '@plataforma/observe';
import { databaseOfFile } from '@plataforma/testing/world';
import { migrations } from '../migrations/index.ts';
import { resealSecrets } from '../src/operations/reseal-secrets.ts';

const secretBox = createSecretBox([{ id: 'second', key: Buffer.alloc(32, 8) }]);

/** Inserts configurations of many merchants with secrets that cannot be decrypted. */
const CONFIGURE = `
  INSERT INTO configurations (id, merchant_id, environment, url, events, secret_key_id, secret_sealed)
  SELECT gen_random_uuid(), gen_random_uuid(), 'sandbox', 'https://shop.example/hook', '{}', 'first', $2
  FROM generate_series(1, $1::int) RETURNING id`;

const database = databaseOfFile(migrations);

test('each secret that cannot be opened is logged once across chunks', async () => {
  const broken = await database.query<{ id: string }>(CONFIGURE, [210, Buffer.alloc(60)]);
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) };
  const log = createLog({ service: 'test', level: 'error', destination });

  await recordSealingKey(database, 'second');

  const round = await resealSecrets({ database, secretBox, keyIds: ['second', 'first'], log });

  expect(round).toEqual({ resealed: 0, left: 210 });
  const logged = lines.map((line) => JSON.parse(line).configurationId);
  expect(logged.sort()).toEqual(broken.map(({ id }) => id).sort());
});
