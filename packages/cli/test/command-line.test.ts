import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { endpoints as contract, routeOf, webhookEventTypes } from '@plataforma/contracts';
import { describedMethods } from '@plataforma/sdk/described';
import { z } from 'zod';
import { fieldsOf } from '../src/commands/fields-of.ts';
import { flags, lists, numbers } from '../src/fields.ts';
import { endpoints } from '../src/resources.ts';
import { eventTypes, liveUpdates } from '../src/trigger/fixtures.ts';
import { VERSION } from '../src/version.ts';
import { help as texts } from '../src/words/help.ts';
import { type CommandLine, commandLineOf } from './support/command-line.ts';

let home: string;
let cli: CommandLine;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'plataforma-cli-'));
  // No server listens on port 1, so every request fails.
  cli = commandLineOf(home, { PLATAFORMA_URL: 'http://127.0.0.1:1', PLATAFORMA_API_KEY: 'sk_sandbox_none' });
});
afterAll(() => rm(home, { recursive: true, force: true }));

const ofKeys = contract.filter(({ access }) => access.kind === 'merchant');

describe('a command', () => {
  test('exists for each method of the SDK', () => {
    expect([...endpoints.values()]).toEqual(describedMethods);
  });

  test('parses exactly the contract’s numeric, list and boolean fields', () => {
    const kinds = new Map<string, Set<string>>();
    for (const { body } of ofKeys)
      if (body) addKinds(kinds, z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }));

    const withKind = (kind: string) =>
      [...kinds]
        .filter(([, of]) => of.has(kind))
        .map(([name]) => name)
        .toSorted();
    expect(numbers.toSorted()).toEqual(withKind('integer'));
    expect(flags.toSorted()).toEqual(withKind('boolean'));
    expect(lists.toSorted()).toEqual(withKind('array'));
    expect([...numbers, ...flags, ...lists].filter((name) => kinds.get(name)?.has('string'))).toEqual([]);
  });

  test('supports each event of the contract', () => {
    expect(eventTypes.toSorted()).toEqual([...webhookEventTypes].toSorted());
    expect(eventTypes).toEqual(expect.arrayContaining(liveUpdates));
  });

  test.each([
    ['a misspelt command', ['chrages', 'list']],
    ['an extra word', ['charges', 'get', 'a', 'b']],
    ['a missing id', ['charges', 'get']],
    ['an unknown option', ['listen', '--forwardto', '3000']],
    ['an unknown event', ['trigger', 'charge.payed']],
    ['a missing fixture', ['trigger', 'none.json']],
    ['a non-integer amount', ['charges', 'create', '--amount', '25,00']],
    ['a bad profile', ['balance', '--profile', '../x']],
    ['a path with dots', ['get', '/v1/../admin']],
    ['an unknown language', ['balance', '--lang', 'fr']],
    ['an invalid time', ['listen', '--since', 'yesterday']],
    ['production without its key', ['balance', '--live']],
    ['trigger in production', ['trigger', 'charge.paid', '--live']],
    ['an unknown shell', ['completion', 'tcsh']],
    ['a missing file', ['files', 'create', '--file', 'none.pdf']],
  ])('exits with 2: %s', async (_what, line) => {
    const { code, out, err } = await cli.run(line);

    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).not.toBe('');
  });

  test('exits with 3 without an answer and names its key', async () => {
    const read = await cli.run(['balance']);
    const written = await cli.run(['charges', 'create', '--amount', '100', '--idempotency-key', 'my-key']);

    const opened = await cli.run(['open']);

    expect([read.code, written.code, opened.code]).toEqual([3, 3, 3]);
    expect(written.err).toContain('--idempotency-key my-key');
  });

  test('is in Portuguese, or in English by option or system', async () => {
    const help = async (settings: Record<string, string>, args: string[] = []) =>
      (await commandLineOf(home, settings).run(['--help', ...args])).out;

    expect(await help({})).toContain(texts.title[0]);
    expect(await help({ LANG: 'C.UTF-8' })).toContain(texts.title[0]);
    expect(await help({ LANG: 'en_US.UTF-8' })).toContain(texts.title[1]);
    expect(await help({ LANG: 'en_US.UTF-8' }, ['--lang', 'pt'])).toContain(texts.title[0]);
    expect(await help({}, ['--lang=en'])).toContain(texts.title[1]);
    expect((await cli.run(['--profile', 'other', '--lang', 'en', 'nope'])).err).toContain(
      'no command "nope"',
    );
  });

  test('has the version of its package', async () => {
    const file = new URL('../package.json', import.meta.url);

    expect(JSON.parse(await readFile(file, 'utf8')).version).toBe(VERSION);
    expect((await cli.run(['--version'])).out).toBe(`${VERSION}\n`);
  });

  test('prints a fixture that works again from a file', async () => {
    const shown = await cli.run(['trigger', 'charge.refunded', '--print']);
    const file = join(home, 'mine.json');
    await writeFile(file, shown.out);

    const again = await cli.run(['trigger', file, '--print']);

    expect(again.code).toBe(0);
    expect(JSON.parse(again.out).steps).toEqual(JSON.parse(shown.out).steps);
  });
});

describe('shell completion', () => {
  let script: string;
  beforeAll(async () => {
    script = (await cli.run(['completion', 'bash'])).out;
  });

  /** Returns the completions that bash offers after these words. */
  async function offered(...words: string[]): Promise<string[]> {
    const program = new URL('../src/main.ts', import.meta.url).pathname;
    const typed = words.map((word) => `'${word}'`).join(' ');
    const lines = [
      `plataforma() { "${process.execPath}" "${program}" "$@"; }`,
      script,
      `COMP_WORDS=(plataforma ${typed}); COMP_CWORD=${words.length}; _plataforma`,
      `printf '%s\\n' "\${COMPREPLY[@]}"`,
    ];
    const { stdout } = await promisify(execFile)('bash', ['-c', lines.join('\n')]);
    return stdout.split('\n').filter(Boolean);
  }

  test('offers commands, actions, events and options in bash', async () => {
    expect(await offered('li')).toEqual(['listen']);
    expect(await offered('charges', 're')).toEqual(['refund']);
    expect(await offered('trigger', 'withdrawal.c')).toEqual(['withdrawal.completed', 'withdrawal.created']);
    expect(await offered('sandbox', 'clock', '')).toEqual(['get', 'move']);
    expect(await offered('listen', '--f')).toEqual(['--forward-to']);
    expect(await offered('completion', '')).toEqual(['bash', 'fish', 'zsh']);
  });

  test('offers fields, their values and option values in bash', async () => {
    expect(await offered('charges', 'create', '--payer-')).toEqual(
      ['document', 'email', 'name', 'phone'].map((name) => `--payer-${name}`),
    );
    expect(await offered('charges', 'list', '--status', 'P')).toEqual(['PAID', 'PENDING']);
    expect(await offered('charges', 'list', '--json', '--payment-method', 'P')).toEqual(['PIX']);
    expect(await offered('webhooks', 'create', '--events', 'charge.paid,dis')).toEqual([
      'charge.paid,dispute.opened',
      'charge.paid,dispute.resolved',
      'charge.paid,dispute.updated',
    ]);
    expect(await offered('webhooks', 'update', 'x', '--is-active', '')).toEqual(['false', 'true']);
    expect(await offered('export', 'statement', '--format', '')).toEqual(['csv', 'ofx']);
    expect(await offered('--lang', '')).toEqual(['en', 'pt']);
    expect(await offered('--profile', 'other', 'logs', 'tail', '--status', '4')).toEqual(['4xx']);
  });

  test('offers exactly the contract’s fields of each endpoint', () => {
    for (const [line, endpoint] of endpoints) {
      const of = ofKeys.find((each) => routeOf(each) === endpoint.route);
      const schema = endpoint.takesBody ? of?.body : of?.query;
      const json = schema ? z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) : {};
      const offered = [...fieldsOf(line, endpoint)].map(([name, values]) => [name, [...values].toSorted()]);

      expect([line, offered.toSorted()]).toEqual([line, valuesIn(json)]);
    }
  });

  test.each(['zsh', 'fish'])('has a script for %s that calls the program', async (shell) => {
    expect((await cli.run(['completion', shell])).out).toContain('plataforma complete -- ');
  });
});

interface Schema {
  [name: string]: unknown;
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

/**
 * Collects the JSON types of all fields in a body's schema, by field name. The types of a nested field are
 * added to its outermost parent.
 */
function addKinds(kinds: Map<string, Set<string>>, schema: Schema, root = schema): void {
  const branches = branchesOf(schema, root);
  for (const { properties } of branches) {
    if (!isSchema(properties)) continue;
    for (const [name, of] of Object.entries(properties)) {
      const types = kinds.get(name) ?? new Set();
      if (isSchema(of)) for (const { type } of branchesOf(of, root)) types.add(String(type));
      kinds.set(name, types);
    }
  }
}

function branchesOf(schema: Schema, root: Schema): Schema[] {
  const defined =
    isSchema(root.$defs) &&
    typeof schema.$ref === 'string' &&
    root.$defs[schema.$ref.split('/').at(-1) ?? ''];
  if (isSchema(defined)) return branchesOf(defined, root);
  const inner = ['anyOf', 'oneOf', 'allOf'].flatMap((name) => schema[name] ?? []).filter(isSchema);
  return [schema, ...inner.flatMap((each) => branchesOf(each, root))];
}

/**
 * Returns the possible values of each field, by field name. Omits time zones, because hundreds of them exist.
 */
function valuesIn(schema: Schema): [string, string[]][] {
  const fields = new Map<string, Set<string>>();
  for (const { properties } of branchesOf(schema, schema)) {
    for (const [name, of] of Object.entries(isSchema(properties) ? properties : {})) {
      const choices = fields.get(name) ?? new Set();
      if (isSchema(of) && name !== 'timeZone') for (const value of choicesOf(of, schema)) choices.add(value);
      fields.set(name, choices);
    }
  }
  return [...fields].map(([name, values]): [string, string[]] => [name, [...values].toSorted()]).toSorted();
}

function choicesOf(schema: Schema, root: Schema): string[] {
  return branchesOf(schema, root).flatMap((each) => [
    ...(Array.isArray(each.enum) ? each.enum.map(String) : []),
    ...('const' in each ? [String(each.const)] : []),
    ...(each.type === 'boolean' ? ['true', 'false'] : []),
    ...(isSchema(each.items) ? choicesOf(each.items, root) : []),
  ]);
}
