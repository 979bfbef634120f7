import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { text } from './support/document.ts';

const script = fileURLToPath(new URL('./support/lint-document.ts', import.meta.url));

/** The tests take 35 s on an idle machine, and took more than five minutes on a very busy one. */
const LIMIT_MS = 600_000;

/**
 * Runs the recommended rules of Redocly and Spectral in a separate process, because Jest never frees the
 * memory of their modules.
 */
async function findingsIn(document: string): Promise<string[]> {
  const linting = promisify(execFile)(process.execPath, [script], { maxBuffer: 2 ** 26 });
  linting.child.stdin?.end(document);
  return z.array(z.string()).parse(JSON.parse((await linting).stdout));
}

describe('the OpenAPI document', () => {
  test(
    'has no error and no warning of Redocly and Spectral',
    async () => {
      expect(await findingsIn(text)).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'without an operationId gets a warning from both',
    async () => {
      const without = text.replace('"operationId":"getBalance",', '');

      expect(await findingsIn(without)).toEqual([
        expect.stringMatching(/^Redocly, warn operation-operationId at #\/paths\/~1v1~1balance\/get/),
        expect.stringMatching(/^Spectral, warn operation-operationId at paths\/\/v1\/balance\/get: /),
      ]);
    },
    LIMIT_MS,
  );
});
