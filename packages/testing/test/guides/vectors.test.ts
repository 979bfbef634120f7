import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { newTestFolder } from '../../src/test-folders.ts';
import { root } from '../documents.ts';
import { buildSamples, drive, installed, languages } from './languages.ts';

const vector = z.object({
  name: z.string(),
  scheme: z.enum(['v1', 'standard']),
  secrets: z.array(z.string()),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  now: z.int(),
  valid: z.boolean(),
});

const file = readFileSync(join(root, 'packages/sdk/vectors.json'), 'utf8');
const { vectors } = z.object({ vectors: z.array(vector) }).parse(JSON.parse(file));

/** Returns the fields of a test vector in the order in which the drivers read them. */
function fieldsOf({ scheme, secrets, headers, body, now }: z.infer<typeof vector>): string[] {
  const header = (name: string) => headers[name] ?? '';
  const signature = header(scheme === 'v1' ? 'X-Webhook-Signature' : 'webhook-signature');
  const standard = [header('webhook-id'), header('webhook-timestamp')];
  return [body, scheme, secrets.join('\n'), signature, ...standard, String(now)];
}

// These tests need no installed language. They are the only tests of a sample if its language is not
// installed.
describe.each(languages)(
  'the source of the verification in $folder',
  ({ folder, verifies: [name, compare] }) => {
    const text = readFileSync(join(root, 'docs/guide/samples', folder, name), 'utf8');

    test('contains both schemes and a constant-time comparison', () => {
      const schemes = new Set(vectors.map(({ scheme }) => scheme));
      const prefixes = { v1: 'sha256=', standard: 'v1,' };

      expect(schemes).toEqual(new Set(['v1', 'standard']));
      expect([...schemes].filter((scheme) => !text.includes(prefixes[scheme]))).toEqual([]);
      expect(text.match(/hmac[^\n]{0,20}sha-?256/i)).not.toBeNull();
      expect(text).toContain(compare);
      expect(text).not.toMatch(/(?:expected|signature) ?={2,3} ?(?:expected|signature|given)/);
    });

    test('contains the limits of 24 bytes and five minutes', () => {
      expect(text).toMatch(/(?:<|>=) 24\b/);
      expect(text).toMatch(/\b(?:300|5\*time\.Minute)\b/);
    });
  },
);

describe.each(installed)('the verification in $folder', (language) => {
  test('accepts signed deliveries and refuses forged ones', async () => {
    const folder = await newTestFolder();
    await buildSamples(language, folder);
    const answers = await drive(language, folder, vectors.map(fieldsOf));
    await rm(folder, { recursive: true });

    const wrong = vectors.filter(({ valid }, index) => answers[index] !== String(valid));
    expect(answers).toHaveLength(vectors.length);
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});
