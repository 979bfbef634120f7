import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { vectorsFile } from './support/signature-vectors.ts';

test('the vectors by which receivers in other languages are tested are what this service signs', () => {
  const kept = readFileSync(`${process.cwd()}/packages/sdk/vectors.json`, 'utf8');

  // `pnpm --filter @plataforma/webhooks-service vectors` writes them anew.
  expect(kept).toBe(vectorsFile());
});
