import { isUuid, MAX_AMOUNT, MIN_AMOUNT, visibleLine } from '@plataforma/kernel';
import { z } from 'zod';

/** Refuses control characters, including C1 (ISO 6429), and lone surrogates. */
function withoutControls(schema: z.ZodString) {
  return schema.refine(
    (value) => !/\p{Cc}/u.test(value) && value.isWellFormed(),
    'may not hold control characters',
  );
}

export const line = withoutControls(z.string().trim());

/**
 * Returns the schema of a text that programs compare, such as an id or a token. The text is trimmed and not
 * changed otherwise.
 */
export function text(max: number) {
  return line.min(1).max(max);
}

/** Returns the schema of a text that people read. Invisible characters are removed. */
export function visibleText(max: number) {
  return withoutControls(z.string().overwrite(visibleLine)).min(1).max(max);
}

/** Reads a text without visible characters as absent; `schema` must accept `undefined`. */
export function blankAsAbsent<Schema extends z.ZodType>(schema: Schema) {
  return z
    .preprocess((value: z.input<Schema>): unknown => (isBlank(value) ? undefined : value), schema)
    .meta({ minLength: undefined });
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && visibleLine(value) === '';
}

/**
 * Returns the schema of an optional text in the body that creates an object; a blank text counts as absent. A
 * body that changes an object cannot contain a blank text, and clears a field with `null`.
 */
export function optionalText<Schema extends z.ZodType>(schema: Schema) {
  return blankAsAbsent(schema.optional()).optional();
}

const MAX_METADATA = { entries: 20, key: 40, value: 500 };
const metadataName = z
  .string()
  .min(1)
  .max(MAX_METADATA.key)
  .regex(/^[^\s[\]\p{Cc}]+$/u);
const BAD_NAME = 'a name has 1 to 40 characters, and no blanks, brackets or control characters';

/** A merchant's own metadata. A name has no blanks or brackets, because queries contain `metadata[name]`. */
export const metadata = z
  .record(metadataName, line.max(MAX_METADATA.value), {
    error: ({ code }) => (code === 'invalid_key' ? BAD_NAME : undefined),
  })
  .refine((value) => Object.keys(value).length <= MAX_METADATA.entries, 'may hold at most 20 entries')
  .meta({ maxProperties: MAX_METADATA.entries, example: { loja: 'matriz', vendedor: '17' } });

export const amount = z
  .int()
  .min(MIN_AMOUNT)
  .max(MAX_AMOUNT)
  .meta({ description: 'Amount in cents.', example: 2500 });

/** Cents of one order in a response: its amount, its fee or a part of its amount. */
export const cents = z.int().min(0).max(MAX_AMOUNT);

/**
 * A sum in cents, or the change of a sum, which may be negative. It is exact within the range of JSON
 * numbers.
 */
export const sum = z.int().meta({ format: 'int64' });

export const count = z.int().min(0).max(2_147_483_647);

export const pixKeyTypes = ['CPF', 'CNPJ', 'EMAIL', 'PHONE', 'EVP'] as const;
const MAX_PIX_KEY_LENGTH = 77;

export const pixKeyType = z.enum(pixKeyTypes);
export const pixKey = text(MAX_PIX_KEY_LENGTH).meta({
  description:
    'Pix key of the type sent with it. Documents may have punctuation; a phone without a country is ' +
    'Brazilian.',
  example: '+5511987654321',
});

/** The platform's reasons for a dispute. They do not depend on the codes of banks or card networks. */
export const disputeReasons = [
  'FRAUD',
  'NOT_RECEIVED',
  'NOT_AS_DESCRIBED',
  'DUPLICATE',
  'CANCELLED',
  'AUTHORIZATION',
  'OPERATIONAL',
  'OTHER',
] as const;

export type DisputeReason = (typeof disputeReasons)[number];

export const id = z.uuid();

export const nullableText = z.string().nullable();

/** Returns the schema of an id that a caller sends. */
export function idOf(reason = 'must be a UUID') {
  return z.string().refine(isUuid, reason).meta({ format: 'uuid' });
}

/** The id in a path. A text that is not a UUID gets 404, like the id of another merchant's object. */
export const idParams = z.object({
  id: idOf('not found'),
});

/**
 * Returns the schema of a text in a response, with the values known today. It accepts other values too,
 * because a later release may add some.
 */
export function oneOf(values: readonly string[]) {
  return z.string().meta({ enum: [...values] });
}

const MAX_INSTALLMENTS = 18;

export const installments = z.int().min(1).max(MAX_INSTALLMENTS).default(1);

export const refundAmount = z
  .int()
  .min(1)
  .max(MAX_AMOUNT)
  .optional()
  .meta({ description: 'Amount in cents, at most the charge’s amount. Defaults to the net amount.' });

/**
 * A colour. The document shows no pattern, because this schema also accepts capital letters and surrounding
 * blanks.
 */
export const colour = z
  .string()
  .trim()
  .toLowerCase()
  .refine((value) => /^#[0-9a-f]{6}$/.test(value), 'must be a colour of the form #rrggbb')
  .meta({ minLength: 1 });

const MAX_LOGO_LENGTH = 87_500;

export const IMAGE = 'PNG, JPEG or WebP image of at most 64 KB, as a data URI. The image data is validated.';
export const ONE_PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==';

export const logo = z
  .string()
  .max(MAX_LOGO_LENGTH)
  .regex(/^data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/, 'must be a data URI of an image')
  .meta({ description: IMAGE, example: ONE_PIXEL });
