import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { vectorsFile } from './support/signature-vectors.ts';

test('the vectors by which receivers in other languages are tested are what this service signs', () => {
  const kept = readFileSync(`${process.cwd()}/packages/sdk/vectors.json`, 'utf8');

  // The command `pnpm --filter @plataforma/webhooks-service vectors` rewrites the file.
  expect(kept).toBe(vectorsFile());
});
