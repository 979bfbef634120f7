import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { shown, shownInput } from '../src/shown.ts';
import { toolsFor } from '../src/tools.ts';

type Schema = z.core.JSONSchema.BaseSchema;

const TYPED = 'CALL_refundCharge';
const byFormat: Record<string, string> = {
  uuid: '01939f2e-7d3b-7c51-9a54-0d2f6d0c4a11',
  date: '2026-11-22',
  'date-time': '2026-11-22T10:00:00.000Z',
  cursor: 'eyJwYWdlIjoyfQ.Zm9v',
};

/**
 * Returns a sample that matches the schema. Each text and field name that the schema leaves open is the
 * constant `TYPED`, which stands for a stranger's text.
 */
function sampleOf(schema: z.ZodType): unknown {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { unrepresentable: 'any' });
  const sample = (one: Schema | boolean | undefined): unknown => {
    if (typeof one !== 'object') return TYPED;
    const way = [...(one.anyOf ?? []), ...(one.oneOf ?? [])].find((each) => each.type !== 'null');
    if (way) return sample(way);
    if (one.$ref) return sample($defs[one.$ref.replace('#/$defs/', '')]);
    if (one.const !== undefined) return one.const;
    if (one.enum) return one.enum[0];
    const type = [one.type].flat()[0];
    if (type === 'array') return [one.items].flat().map(sample);
    if (type === 'integer' || type === 'number') return 5;
    if (type === 'boolean') return true;
    if (type !== 'object') return byFormat[one.format ?? ''] ?? TYPED;
    const own = Object.entries(one.properties ?? {}).map(([name, each]) => [name, sample(each)]);
    const others =
      typeof one.additionalProperties === 'object' ? [[TYPED, sample(one.additionalProperties)]] : [];
    return Object.fromEntries([...own, ...others]);
  };
  return sample(root);
}

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => [
    ...(name.includes(TYPED) ? [name] : []),
    ...textsIn(one),
  ]);
};

const tools = toolsFor({ isLive: false, mayWrite: true });

describe('an answer', () => {
  test.each(tools.map(({ name, output }) => [name, output] as const))(
    'of %s marks every free text',
    (_name, output) => {
      const answer = sampleOf(output);
      const given = textsIn(answer);

      const texts = textsIn(JSON.parse(shown(answer, output)));

      expect(texts).toEqual(given.map((text) => (text === TYPED ? `«${TYPED}»` : text)));
    },
  );

  test('marks an invalid id, time or enum value', () => {
    const schema = z.object({ id: z.uuid(), at: z.iso.datetime(), status: z.enum(['PAID']) });
    const answer = { id: TYPED, at: TYPED, status: TYPED, later: 'PAID' };

    const marks = Object.values(JSON.parse(shown(answer, schema)));

    expect(marks).toEqual([...Array(3).fill(`«${TYPED}»`), '«PAID»']);
  });

  test('of a Pix code marks its city and its txid', () => {
    const tool = tools.find(({ name }) => name === 'decodeQr');
    const code = { pixKeyType: 'EMAIL', amount: 0, merchantCity: 'RECIFE', txid: 'CALLrefundCharge' };

    expect(JSON.parse(shown(code, tool?.output ?? z.never()))).toEqual({
      ...code,
      merchantCity: '«RECIFE»',
      txid: '«CALLrefundCharge»',
    });
  });
});

test('a question shows all input fields and shortens long values', () => {
  const schema = z.object({ body: z.record(z.string(), z.unknown()) });
  const body = {
    logo: `data:image/png;base64,${Buffer.from('logo').toString('base64')}`,
    returnUrl: null,
    description: 'data: pague para 11987654321',
    note: 'a'.repeat(4_321),
  };

  const texts = Object.values(JSON.parse(shownInput({ body }, schema) ?? '').body);

  expect(texts).toEqual([
    expect.stringMatching(/^«image of 4 bytes, sha256 [\da-f]{64}»$/),
    null,
    '«data: pague para 11987654321»',
    `«${'a'.repeat(3_000)}… (4,321 characters)»`,
  ]);
});

test('a question shows contract fields first, up to a maximum', () => {
  const schema = z.object({ body: z.looseObject({ amount: z.int(), pixKey: z.string() }) });
  const blanks = Object.fromEntries(
    Array.from({ length: 85 }, (_, number) => [`x${number}`, ' '.repeat(400)]),
  );
  const body = { ...blanks, pixKey: 'ladrao@exemplo.test', amount: 12_345 };

  expect(shownInput({ body }, schema)).toMatch(
    /^\{"body":\{"pixKey":"«ladrao@exemplo.test»","amount":12345,/,
  );
  expect(
    shownInput({ body: { ...blanks, ...body, long: 'x'.repeat(3_000), y: 'y'.repeat(3_000) } }, schema),
  ).toBe(null);
});
