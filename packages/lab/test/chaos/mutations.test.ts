import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { insideEnvironment } from '../../src/chaos/inside/environment.ts';
import { shortened } from '../../src/chaos/inside/shortened.ts';
import { edited } from '../../src/chaos/mutation.ts';
import { mutations } from '../../src/chaos/mutations.ts';

const repository = new URL('../../../../', import.meta.url);
const editions = [{ edits: shortened }, ...mutations];
const files = [...new Set(editions.flatMap(({ edits }) => edits.map(({ file }) => file)))];
const chargeModule = new URL('services/charges/src/domain/charge.ts', repository);
/** Prints the status of a paid charge after an expiry. */
const program = `
  const { statusAfter } = await import('${chargeModule.href}');
  process.stdout.write(String(statusAfter('PAID', 'expire')));`;
let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'plataforma-mutations-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function run(mutation?: string, cache: Record<string, string> = {}, script = program): Promise<string> {
  const inside = insideEnvironment({
    failPointsFile: join(dir, 'points'),
    clockFile: join(dir, 'clock'),
    mutation,
  });
  const env = { PATH: process.env.PATH ?? '', ...inside, ...cache };
  const args = ['--input-type=module', '--eval', script];
  return (await promisify(execFile)(process.execPath, args, { env })).stdout;
}

describe('a mutation', () => {
  test('has a unique name', () => {
    const names = mutations.map(({ name }) => name);

    expect(new Set(names).size).toBe(names.length);
  });

  test.each(files)('finds its text in %s exactly once, and the result parses', (file) => {
    const text = readFileSync(new URL(file, repository), 'utf8');

    for (const { edits } of editions) {
      const after = edited(
        text,
        edits.filter((edit) => edit.file === file),
      );
      if (!file.endsWith('.sql')) expect(() => stripTypeScriptTypes(after)).not.toThrow();
    }
  });

  test('changes SQL that a process reads', async () => {
    const url = new URL('services/webhooks/migrations/index.ts', repository).href;
    const sql = `const { migrations } = await import('${url}'); process.stdout.write(JSON.stringify(migrations))`;

    const [guarded, unguarded] = [await run(undefined, {}, sql), await run('lease fence', {}, sql)];

    expect(guarded).toContain('AND d.lease_token = r.lease_token');
    expect(unguarded).toContain('settle_deliveries');
    expect(unguarded).not.toContain('AND d.lease_token = r.lease_token');
    for (const text of [guarded, unguarded]) expect(text).toContain("DEFAULT now() + interval '5 seconds'");
  });

  test('is refused when its text is missing or occurs twice', () => {
    const edit = { file: 'a.ts', find: 'guard', replace: '' };

    expect(() => edited('nothing', [edit])).toThrow('a.ts holds 0 times: guard');
    expect(() => edited('guard guard', [edit])).toThrow('a.ts holds 2 times: guard');
  });

  test('removes its guard only from a process that selects it', async () => {
    expect(await run()).toBe('null');
    expect(await run('state guard')).toBe('EXPIRED');
  });

  test('neither uses nor changes a shared compile cache', async () => {
    const cache = { NODE_COMPILE_CACHE: join(dir, 'cache') };

    const plain = [await run(undefined, cache)];
    const mutated = [await run('state guard', cache), await run('state guard', cache)];
    plain.push(await run(undefined, cache));

    expect(existsSync(cache.NODE_COMPILE_CACHE)).toBe(true);
    expect(plain).toEqual(['null', 'null']);
    expect(mutated).toEqual(['EXPIRED', 'EXPIRED']);
  });

  test('with an unknown name ends the process', async () => {
    await expect(run('nothing')).rejects.toThrow('there is no mutation nothing');
  });
});
