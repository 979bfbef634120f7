import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { openApiDocument } from '@plataforma/api-docs/openapi';
import { api, schemaOf } from '@plataforma/contracts';
import { samplesOf } from '../src/reference/endpoints.ts';
import { exampleBodyOf } from '../src/reference/example.ts';
import { describe as describeAll } from '../src/reference/pages.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/**
 * The compiler needs two seconds of processor time. On a busy machine it may wait much longer for the
 * processor.
 */
const COMPILE_MS = 600_000;
const described = () => describeAll(openApiDocument(api));

test('every endpoint has curl samples, merchant endpoints SDK samples', async () => {
  const all = await described();
  const labels = all.map((each) => [each.name, ...samplesOf(each).map(({ label }) => label)]);

  expect(labels).toEqual(
    all.map(({ name, endpoint }) =>
      endpoint.access.kind === 'merchant' ? [name, 'curl', 'SDK'] : [name, 'curl'],
    ),
  );
});

test('every sample body is accepted by its endpoint', async () => {
  const refused = (await described())
    .filter(({ endpoint }) => !endpoint.takesFile)
    .filter(({ endpoint }) => !schemaOf(endpoint, 'body').safeParse(exampleBodyOf(endpoint) ?? {}).success);

  expect(refused.map(({ name }) => name)).toEqual([]);
});

test('a sample uses ids of the examples', async () => {
  const { paths } = openApiDocument(api);
  const answers = JSON.stringify(
    Object.values(paths ?? {}).flatMap((path) => Object.values(path).map(({ responses }) => responses)),
  );
  const unknown = (await described()).flatMap((each) => {
    const ids = samplesOf(each).flatMap(
      ({ code }) => code.match(/[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}/g) ?? [],
    );
    return ids.filter((id) => !answers.includes(`"${id}"`)).map((id) => `${each.name} ${id}`);
  });

  expect(unknown).toEqual([]);
});

test('a curl sample sends a file as one field', async () => {
  const curls = (await described())
    .filter(({ endpoint }) => endpoint.takesFile)
    .map((each) => samplesOf(each)[0]?.code.match(/-F '?file=.*/g));

  expect(new Set(curls.map(String))).toEqual(new Set(['-F file=@proof.pdf']));
});

test(
  'the samples of the SDK compile',
  async () => {
    const folder = at('../built/samples');
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const written = (await described()).flatMap((each) =>
      samplesOf(each)
        .filter(({ label }) => label === 'SDK')
        .map(({ code }) => writeFile(join(folder, `${each.name}.ts`), code)),
    );
    await Promise.all(written);
    const settings = { extends: '../../../../tsconfig.base.json', include: ['*.ts'] };
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ ...settings, compilerOptions: { noUnusedLocals: false } }),
    );
    const compiler = at('../../../node_modules/.bin/tsc');

    const said = await promisify(execFile)(compiler, ['--noEmit', '--checkers', '1', '-p', folder]).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );

    expect(written.length).toBeGreaterThan(60);
    expect(said).toBe('');
  },
  COMPILE_MS,
);
