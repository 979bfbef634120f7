import {
  addDays,
  isUuid,
  MAX_AMOUNT,
  MIN_AMOUNT,
  startOfDay,
  type TimeZone,
  timeZones,
  visibleLine,
} from '@plataforma/kernel';
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
 * change refuses a blank text and clears a field by `null`.
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

/**
 * Returns the schema of an integer in a query. Only decimal digits are accepted: `1e1` and `0x10` are
 * refused.
 */
export function integerParam(min: number, max = Number.MAX_SAFE_INTEGER) {
  return z.preprocess(numberIn, z.int().min(min).max(max));
}

/**
 * Returns the schema of an optional integer in a query. The default is set twice, because the document reads
 * it from the inner schema.
 */
export function integerOr(byDefault: number, min: number, max: number) {
  const integer = z.int().min(min).max(max).meta({ default: byDefault });
  return z.preprocess(numberIn, integer).default(byDefault);
}

/**
 * Converts decimal digits to a number and returns any other value unchanged, which the schema then refuses.
 */
function numberIn(value: string | number): unknown {
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

/** A time zone: UTC, or a zone of Brazil. */
export const timeZone = z.enum(timeZones);

export const page = {
  page: integerOr(1, 1, 1_000_000),
  limit: integerOr(20, 1, 100),
  after: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .meta({
      description:
        'The `meta.next` of the previous page, which returns the page after it. Rows are neither skipped ' +
        'nor repeated, even when rows are added. The filters must stay the same; `page` is ignored.',
    }),
};

export const meta = z
  .object({
    total: count,
    page: count.meta({
      description: 'Number of the page. With `after` it is counted from the first page read.',
    }),
    limit: z.int().min(1).max(100),
    pages: count.meta({
      description: 'Number of pages. While more rows follow, it is at least one more than `page`.',
    }),
    timeZone: timeZone.optional().meta({
      description: 'Time zone of the dates in the query. Absent if the query has no dates.',
    }),
    openingBalance: sum.optional().meta({
      description:
        'Balance before the period of a statement, in cents: available plus pending less dispute debt. ' +
        'With `view=available` it excludes pending money. 0 without `startDate`.',
    }),
    closingBalance: sum.optional().meta({
      description: 'Balance at the end of the period of a statement, or now, in cents.',
    }),
    totalIsCapped: z.literal(true).optional().meta({ description: 'Whether more rows exist than `total`.' }),
    next: z
      .string()
      .optional()
      .meta({ description: 'Cursor to send as `after` for the next page. Absent on the last page.' }),
  })
  .meta({ id: 'Meta' });

export type Meta = z.infer<typeof meta>;

const day = z.iso.date().refine((value) => value >= '0001', 'has no year 0');
const INSTANT =
  'an instant with seconds and Z or an offset, such as 2026-11-22T10:00:00-03:00; a + is %2B in a URL';

export const instant = z.iso.datetime({ offset: true, error: `must be ${INSTANT}` });

export const dayOrInstant = z.union(
  [day, instant],
  `must be a day that exists, such as 2026-11-22, or ${INSTANT}`,
);

/**
 * The start of a day whose time zone is not known yet. Used as a `Date`, it is the start of that day in UTC.
 */
export class EdgeOfDay extends Date {
  readonly day: string;
  constructor(day: string) {
    super(`${day}T00:00:00Z`);
    this.day = day;
  }
}

export const isDay = (value: string) => value.length === 10;

/** Returns the start of an `EdgeOfDay`'s day in a time zone. Returns any other date unchanged. */
export function edgeIn<Given extends Date | null | undefined>(
  date: Given,
  timeZone: TimeZone = 'UTC',
): Date | Given {
  return date instanceof EdgeOfDay ? startOfDay(date.day, timeZone) : date;
}

/**
 * The end of a validity: an instant, or a day, which is included. For a day the result is an `EdgeOfDay`,
 * which `edgeIn` converts to a time zone.
 */
export const expiry = dayOrInstant
  .transform((value): Date => (isDay(value) ? new EdgeOfDay(addDays(value, 1)) : new Date(value)))
  .refine((over) => /^(?!0000)\d{4}-/.test(over.toISOString()), 'must lie in the years 1 to 9999, in UTC');

export const timestamp = z.iso.datetime();

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

/**
 * Marks a field as the older name of the field `name`. For a year after the release, requests may contain
 * either name and responses contain both.
 */
export function olderNameOf<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  return schema.meta({ deprecated: true, description: `Deprecated. Use \`${name}\`.` });
}

/** The day on which the older names of fields became deprecated. */
export const DEPRECATED_SINCE = '2026-11-28';

/** Returns the older names among the fields of a query or a body. */
export function olderNamesIn(schema: z.ZodType | undefined): string[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([name, field]) =>
    z.globalRegistry.get(field)?.deprecated ? [name] : [],
  );
}

const MAX_LOGO_LENGTH = 87_500;

export const IMAGE = 'PNG, JPEG or WebP image of at most 64 KB, as a data URI. The image data is validated.';
export const ONE_PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==';

export const logo = z
  .string()
  .max(MAX_LOGO_LENGTH)
  .regex(/^data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/, 'must be a data URI of an image')
  .meta({ description: IMAGE, example: ONE_PIXEL });
