import type { CsvColumn, CsvColumns, CsvLocale } from '@plataforma/contracts';
import { type Cents, inZone, type TimeZone, toDecimal } from '@plataforma/kernel';

type CsvValue = string | number | Date | null;

/** The values of one line by the names of their columns. A column without a value is empty in the file. */
export type CsvRow<Columns extends CsvColumns> = { readonly [Name in keyof Columns]?: CsvValue };

export interface CsvReader {
  locale?: CsvLocale | undefined;
  timeZone?: TimeZone | undefined;
}

/** The parts of a CSV file (RFC 4180). `head` is the header line, and `lines` turns rows into lines. */
export interface CsvForm<Columns extends CsvColumns> {
  head: string;
  lines: (rows: readonly CsvRow<Columns>[]) => string;
}

interface WrittenColumn {
  name: string;
  head: string;
  write: (value: string | number) => string;
}

/** The mark at the beginning of a file by which Excel recognizes UTF-8. */
const BYTE_ORDER_MARK = '\u{FEFF}';

export function csvForm<Columns extends CsvColumns>(
  columns: Columns,
  { locale, timeZone = 'UTC' }: CsvReader,
): CsvForm<Columns> {
  const isBrazilian = locale === 'pt-BR';
  const listed = Object.entries<CsvColumn>(columns).filter(([, column]) => locale || !column.needsLocale);
  const written = isBrazilian
    ? idsLast(listed).map(([name, column]) => inPortuguese(name, column, timeZone))
    : listed.flatMap(([name, column]) => inEnglish(name, column, { locale, timeZone }));
  const separator = isBrazilian ? ';' : ',';
  const line = (cells: readonly string[]) => `${cells.join(separator)}\r\n`;
  const cellOf = (value: CsvValue | undefined, write: WrittenColumn['write']) => {
    if (value === null || value === undefined) return '';
    return write(value instanceof Date ? value.toISOString() : value);
  };
  return {
    head: (isBrazilian ? BYTE_ORDER_MARK : '') + line(written.map(({ head }) => head)),
    lines: (rows) =>
      rows.map((row) => line(written.map(({ name, write }) => cellOf(row[name], write)))).join(''),
  };
}

/**
 * Puts the row's own id last, and ids of other objects right before it, because people read the other columns
 * first.
 */
function idsLast(columns: readonly [string, CsvColumn][]): [string, CsvColumn][] {
  const rank = ([name, { kind }]: [string, CsvColumn]) => (kind === 'id' ? 1 : 0) + (name === 'id' ? 1 : 0);
  return columns.toSorted((one, other) => rank(one) - rank(other));
}

function inEnglish(
  name: string,
  { kind }: CsvColumn,
  { locale, timeZone }: { locale: CsvLocale | undefined; timeZone: TimeZone },
): WrittenColumn[] {
  const isPlain = locale === undefined && timeZone === 'UTC';
  if (kind === 'money') {
    return [
      { name, head: name, write: String },
      { name, head: `${name}Decimal`, write: decimal },
    ];
  }
  if (kind === 'time' && !isPlain) {
    const write = (value: string | number) => inZone(new Date(value), timeZone);
    return [{ name, head: `${name} (${timeZone})`, write }];
  }
  return [{ name, head: name, write: kind === 'text' ? quoted : String }];
}

function inPortuguese(name: string, column: CsvColumn, timeZone: TimeZone): WrittenColumn {
  const { kind, inPortuguese: head, words = {} } = column;
  const inWords = (value: string | number) => (Object.hasOwn(words, value) && words[value]) || String(value);
  const withComma = (text: string) => text.replace('.', ',');
  switch (kind) {
    case 'text':
      return { name, head, write: (value) => quoted(inWords(value)) };
    case 'money':
    case 'cents':
      return { name, head: `${head} (R$)`, write: (value) => withComma(decimal(value)) };
    case 'number':
      return { name, head, write: (value) => withComma(String(value)) };
    case 'word':
      return { name, head, write: inWords };
    case 'day':
      return { name, head, write: (value) => brazilianDay(String(value)) };
    case 'time':
      return { name, head: `${head} (${timeZone})`, write: (value) => brazilianTime(value, timeZone) };
    default:
      return { name, head, write: String };
  }
}

const brazilianDay = (day: string) => day.split('-').toReversed().join('/');

/**
 * Returns a time such as `21/11/2026 09:00:00`, the form that a Brazilian spreadsheet recognizes as a time.
 */
function brazilianTime(instant: string | number, timeZone: TimeZone): string {
  const [day = '', time = ''] = inZone(new Date(instant), timeZone).split('T');
  return `${brazilianDay(day)} ${time.slice(0, 'hh:mm:ss'.length)}`;
}

function decimal(value: string | number): string {
  const amount: Cents = Number(value);
  return `${amount < 0 ? '-' : ''}${toDecimal(Math.abs(amount))}`;
}

const NUMBER = /^[+-]?\d+([.,]\d+)?$/;
/**
 * Matches the start of a formula in a cell: `=`, `+`, `-` or `@`, also full-width. A cell starts after any
 * separator that a program uses. Invisible characters and quotes may stand before the sign.
 */
const FORMULA =
  /(^|[,;|\t\r\n])(["\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}]*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gu;
/** Control characters of a provider's text, which programs show differently or drop. */
const CONTROLS = /(?![\t\r\n])\p{Cc}/gu;
/**
 * Matches the position before a leading tab or line end, because a program may drop that character and so
 * uncover a formula.
 */
const LEADING_CONTROL = /^(?=[\t\r\n])/;

/**
 * Returns the text in quotes, changed so that no spreadsheet runs it as a formula, because a stranger may
 * have written a merchant's order number.
 */
function quoted(value: string | number): string {
  const text = String(value).replace(CONTROLS, '');
  if (text === '') return '';
  const disarmed = NUMBER.test(text) ? text : text.replace(FORMULA, "$1$2'").replace(LEADING_CONTROL, "'");
  return `"${disarmed.replaceAll('"', '""')}"`;
}
