import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { vectorsFile } from './support/signature-vectors.ts';

test('the test vectors for other languages match this service’s signatures', () => {
  const committed = readFileSync(`${process.cwd()}/packages/sdk/vectors.json`, 'utf8');

  // If this fails, run `pnpm --filter @plataforma/webhooks-service vectors`, which writes the file again.
  expect(committed).toBe(vectorsFile());
});
