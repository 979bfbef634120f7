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

/** Refuses control characters (those of ISO 6429 as well) and broken surrogates. */
function withoutControls(schema: z.ZodString) {
  return schema.refine(
    (value) => !/\p{Cc}/u.test(value) && value.isWellFormed(),
    'may not hold control characters',
  );
}

export const line = withoutControls(z.string().trim());

/** A text that programs compare, such as an id or a token: trimmed, and otherwise as sent. */
export function text(max: number) {
  return line.min(1).max(max);
}

/** A text that people read. */
export function visibleText(max: number) {
  return withoutControls(z.string().overwrite(visibleLine)).min(1).max(max);
}

/** Reads a text with nothing visible as one that was left out; `schema` accepts `undefined`. */
export function blankAsAbsent<Schema extends z.ZodType>(schema: Schema) {
  return z
    .preprocess((value: z.input<Schema>): unknown => (isBlank(value) ? undefined : value), schema)
    .meta({ minLength: undefined });
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && visibleLine(value) === '';
}

/** A text of a new thing that may be left out. A change refuses an empty text, because `null` clears there. */
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

/** A merchant's own names and texts; a name can be asked for as `metadata[name]`, and so holds no blanks or brackets. */
export const metadata = z
  .record(metadataName, line.max(MAX_METADATA.value), {
    error: ({ code }) => (code === 'invalid_key' ? BAD_NAME : undefined),
  })
  .refine((value) => Object.keys(value).length <= MAX_METADATA.entries, 'may hold at most 20 entries')
  .meta({ maxProperties: MAX_METADATA.entries, example: { loja: 'matriz', vendedor: '17' } });

export const amount = z.int().min(MIN_AMOUNT).max(MAX_AMOUNT).meta({ description: 'Cents.', example: 2500 });

/** Cents of one order in an answer: an amount, its fee, its parts. */
export const cents = z.int().min(0).max(MAX_AMOUNT);

/** Cents of a sum or of its change: may be below 0, and is exact as far as numbers of JSON are. */
export const sum = z.int().meta({ format: 'int64' });

/** How many there are. */
export const count = z.int().min(0).max(2_147_483_647);

export const pixKeyTypes = ['CPF', 'CNPJ', 'EMAIL', 'PHONE', 'EVP'] as const;
const MAX_PIX_KEY_LENGTH = 77;

export const pixKeyType = z.enum(pixKeyTypes);
export const pixKey = text(MAX_PIX_KEY_LENGTH).meta({
  description:
    'Of the type named beside it. Documents may have punctuation; a phone without a country is Brazilian.',
  example: '+5511987654321',
});

/** Why a payment is disputed, whatever code a bank or a network has for it. */
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

/** An id of anything, as a caller names it. */
export function idOf(reason = 'must be a UUID') {
  return z.string().refine(isUuid, reason).meta({ format: 'uuid' });
}

/** An id in a path. Text that is no UUID simply finds nothing: 404, as for somebody else's. */
export const idParams = z.object({
  id: idOf('not found'),
});

/** A text that is one of these for all we know: a later release may say more, and none is refused for it. */
export function oneOf(values: readonly string[]) {
  return z.string().meta({ enum: [...values] });
}

/** An integer in a query, in decimal digits: `1e1` and `0x10` are no way to say how much money. */
export function integerParam(min: number, max = Number.MAX_SAFE_INTEGER) {
  return z.preprocess(numberIn, z.int().min(min).max(max));
}

/** One that may be left out. The document looks for a default inside of what a text becomes, and not around it. */
export function integerOr(byDefault: number, min: number, max: number) {
  const integer = z.int().min(min).max(max).meta({ default: byDefault });
  return z.preprocess(numberIn, integer).default(byDefault);
}

/** Typed as a caller writes it; of a request it may be anything, and what is no number is left for the schema. */
function numberIn(value: string | number): unknown {
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

/** UTC, or a zone of Brazil. */
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
        'The `meta.next` of the page before, for the page that follows it: none of its rows is missed or seen twice, whatever ' +
        'is added. The filters stay the same; `page` is not looked at.',
    }),
};

export const meta = z
  .object({
    total: count,
    page: count.meta({
      description: 'With `after` the number of the page as it was counted from the first.',
    }),
    limit: z.int().min(1).max(100),
    pages: count.meta({ description: 'While rows follow, at least one more than `page`.' }),
    timeZone: timeZone.optional().meta({
      description: 'The zone whose days the dates of the query are; left out where the query has no dates.',
    }),
    openingBalance: sum.optional().meta({
      description:
        'Of a statement, in cents: available plus pending less dispute debt before its period, without pending in `view=available`; 0 without `startDate`.',
    }),
    closingBalance: sum.optional().meta({
      description: 'Of a statement: the same at the end of its period, or now.',
    }),
    totalIsCapped: z.literal(true).optional().meta({ description: 'There are more than `total`.' }),
    next: z
      .string()
      .optional()
      .meta({ description: 'Send it as `after` for the next page; left out on the last.' }),
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

/** The first instant of a day, or the one after it, as long as it is not known in whose zone: that of a UTC day. */
export class EdgeOfDay extends Date {
  readonly day: string;
  constructor(day: string) {
    super(`${day}T00:00:00Z`);
    this.day = day;
  }
}

export const isDay = (value: string) => value.length === 10;

/** A date of `period`, or an `expiry`, whose day is one of this zone's. */
export function edgeIn<Given extends Date | null | undefined>(
  date: Given,
  timeZone: TimeZone = 'UTC',
): Date | Given {
  return date instanceof EdgeOfDay ? startOfDay(date.day, timeZone) : date;
}

/** The instant from which something is over: the one given, or the end of a day, which `edgeIn` moves to its zone. */
export const expiry = dayOrInstant
  .transform((value): Date => (isDay(value) ? new EdgeOfDay(addDays(value, 1)) : new Date(value)))
  .refine((over) => /^(?!0000)\d{4}-/.test(over.toISOString()), 'must lie in the years 1 to 9999, in UTC');

export const timestamp = z.iso.datetime();

const MAX_INSTALLMENTS = 18;

export const installments = z.int().min(1).max(MAX_INSTALLMENTS).default(1);

/** The refunded part of a charge, in cents. */
export const refundAmount = z
  .int()
  .min(1)
  .max(MAX_AMOUNT)
  .optional()
  .meta({ description: 'Cents; at most the charge’s amount. The net amount when left out.' });

/** Without a published pattern, which would refuse the capitals and blanks that are read here. */
export const colour = z
  .string()
  .trim()
  .toLowerCase()
  .refine((value) => /^#[0-9a-f]{6}$/.test(value), 'must be a colour of the form #rrggbb')
  .meta({ minLength: 1 });

/** The name that a field had before: read and answered beside `name`, for a year after this is released. */
export function olderNameOf<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  return schema.meta({ deprecated: true, description: `The older name of \`${name}\`.` });
}

/** The day from which older names are deprecated. */
export const DEPRECATED_SINCE = '2026-11-28';

/** The older names among the fields of a query or a body. */
export function olderNamesIn(schema: z.ZodType | undefined): string[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([name, field]) =>
    z.globalRegistry.get(field)?.deprecated ? [name] : [],
  );
}

const MAX_LOGO_LENGTH = 87_500;

export const IMAGE = 'A PNG, JPEG or WebP of at most 64 KB as a data URI; the image itself is looked at.';
export const ONE_PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==';

export const logo = z
  .string()
  .max(MAX_LOGO_LENGTH)
  .regex(/^data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/, 'must be a data URI of an image')
  .meta({ description: IMAGE, example: ONE_PIXEL });
