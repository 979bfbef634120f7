import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { api, callbacks, errorCatalogue, statusOfKind } from '@plataforma/contracts';
import { openApiDocument } from '../src/document.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const catalogue = new Map<string, number>(
  Object.entries(errorCatalogue).map(([code, { status }]) => [code, status]),
);
const document = JSON.stringify(openApiDocument(api));

/** The platform's source folders, without the sandbox provider, which has error codes of its own. */
const sources = ['packages', 'services'].flatMap((where) =>
  readdirSync(join(root, where))
    .filter((name) => name !== 'sandbox-psp')
    .map((name) => join(where, name, 'src'))
    // A working copy may still contain the directory of a deleted package, with ignored files only.
    .filter((dir) => existsSync(join(root, dir)))
    .flatMap((dir) =>
      readdirSync(join(root, dir), { recursive: true, encoding: 'utf8' }).map((name) => join(dir, name)),
    )
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') })),
);

const refusals = sources.flatMap(({ file, text }) =>
  [...text.matchAll(/new Refusal\(\s*'(\w+)',\s*'(\w+)'/g)].map(([, kind = '', code = '']) => ({
    file,
    kind,
    code,
  })),
);
const kinds = new Map<string, number>(Object.entries(statusOfKind));

describe('an error code', () => {
  test('that a service uses is catalogued with its status', () => {
    const wrong = refusals.filter(
      ({ kind, code }) => !catalogue.has(code) || catalogue.get(code) !== kinds.get(kind),
    );

    expect(refusals.length).toBeGreaterThan(50);
    expect(wrong).toEqual([]);
  });

  test('of the catalogue is in the OpenAPI document', () => {
    const missing = [...catalogue.keys()].filter((code) => !new RegExp(`\\b${code}\\b`).test(document));

    expect(missing).toEqual([]);
  });

  test('of the catalogue is used by a service', () => {
    const all = sources
      .filter(({ file }) => !file.startsWith('packages/contracts/'))
      .map(({ text }) => text)
      .join('\n');

    expect([...catalogue.keys()].filter((code) => !all.includes(`'${code}'`))).toEqual([]);
  });

  test('that an endpoint declares is used by its service', () => {
    const declared = Object.values({ ...api, ...callbacks }).flatMap(({ service, errors }) =>
      errors.map((code) => ({ service, code })),
    );
    const given = (service: string, code: string) =>
      sources.some(
        ({ file, text }) =>
          (file.startsWith(`services/${service}/`) ||
            file.startsWith('services/gateway/') ||
            file.startsWith('packages/')) &&
          !file.startsWith('packages/contracts/') &&
          text.includes(`'${code}'`),
      );
    const unknown = new Set(
      declared.filter(({ service, code }) => !given(service, code)).map((one) => JSON.stringify(one)),
    );

    expect([...unknown]).toEqual([]);
  });
});
