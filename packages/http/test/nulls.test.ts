import { describe, expect, test } from '@jest/globals';
import { api, type Endpoint, schemaOf } from '@plataforma/contracts';
import { z } from 'zod';
import { validateBody } from '../src/validation.ts';

const fields = z.looseObject({ properties: z.record(z.string(), z.unknown()).default({}) });
const shapes = z.looseObject({ oneOf: z.array(fields).optional() }).and(fields);

function namesIn(schema: z.ZodType): string[] {
  const { oneOf = [], properties } = shapes.parse(
    z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }),
  );
  return [properties, ...oneOf.map((one) => one.properties)].flatMap((one) => Object.keys(one));
}

function outcome(schema: z.ZodType, body: unknown): unknown {
  try {
    return { read: validateBody(schema, body) };
  } catch (error) {
    return { refused: String(error) };
  }
}

const shown = Object.entries<Endpoint>(api).flatMap(([operation, endpoint]) => {
  if (endpoint.access.kind === 'operator') return [];
  const schema = schemaOf(endpoint, 'body');
  const bodies = [
    {},
    ...(endpoint.examples ?? []).map(({ body }) => z.record(z.string(), z.unknown()).parse(body)),
  ];
  return namesIn(schema).flatMap((name) => bodies.map((body) => ({ operation, schema, name, body })));
});

describe('null in a body', () => {
  test('of a merchant means an omitted field', () => {
    const wrong = shown.flatMap(({ operation, schema, name, body }) => {
      const { [name]: _, ...without } = body;
      const read = [{ ...body, [name]: null }, without].map((one) => JSON.stringify(outcome(schema, one)));
      return read[0] === read[1] ? [] : [`${operation} ${name}`];
    });

    expect(shown.length).toBeGreaterThan(50);
    // When a merchant changes a logo or a link, null in these fields removes the value.
    const ofLinks = ['uses', 'expiresAt', 'returnUrl', 'checkoutColor', 'color', 'logo'];
    expect([...new Set(wrong)]).toEqual([
      'changeAccountLogo logo',
      ...ofLinks.map((name) => `changePaymentLink ${name}`),
    ]);
  });

  test('of a required field is refused as missing', () => {
    expect(outcome(schemaOf(api.createCharge, 'body'), { amount: null })).toEqual({
      refused: expect.stringContaining('amount: is required'),
    });
  });

  test('is refused in a list and as a metadata value', () => {
    const body = z.object({ metadata: z.record(z.string(), z.string()), events: z.array(z.string()) });

    expect(() => validateBody(body, { metadata: { loja: null }, events: [] })).toThrow(
      'metadata.loja: must be a text',
    );
    expect(() => validateBody(body, { metadata: {}, events: ['a', null] })).toThrow(
      'events.1: must be a text',
    );
  });

  test('in dependent fields means that both are omitted', () => {
    const order = { amount: 2500, externalId: 'a', payerName: 'Maria', payerDocument: '12345678909' };

    expect(validateBody(api.createCharge.body, { ...order, paymentMethod: null, expiresIn: null })).toEqual({
      ...order,
      expiresIn: 3600,
    });
  });
});
