import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { newTestFolder } from '../../src/test-folders.ts';
import { root } from '../documents.ts';
import { buildSamples, drive, installed } from './languages.ts';

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

/** As the drivers read it. */
function fieldsOf({ scheme, secrets, headers, body, now }: z.infer<typeof vector>): string[] {
  const header = (name: string) => headers[name] ?? '';
  const signature = header(scheme === 'v1' ? 'X-Webhook-Signature' : 'webhook-signature');
  const standard = [header('webhook-id'), header('webhook-timestamp')];
  return [body, scheme, secrets.join('\n'), signature, ...standard, String(now)];
}

describe.each(installed)('the verification in $folder', (language) => {
  test('believes the deliveries that are signed, and none of the forged ones', async () => {
    const folder = await newTestFolder();
    await buildSamples(language, folder);
    const answers = await drive(language, folder, vectors.map(fieldsOf));
    await rm(folder, { recursive: true });

    const wrong = vectors.filter(({ valid }, index) => answers[index] !== String(valid));
    expect(answers).toHaveLength(vectors.length);
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});
