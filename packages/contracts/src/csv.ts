import { z } from 'zod';
import { platformTexts } from './value-words.ts';

const csvLocales = ['pt-BR', 'en'] as const;
export type CsvLocale = (typeof csvLocales)[number];

/**
 * `text`: free text. `word`: one of several values. `id`: an id of this API. `money`: two columns, cents and
 * decimal. `cents`: cents only. `number`: a count or a ratio. `time`: an instant. `day`: a calendar day.
 */
type Kind = 'id' | 'text' | 'word' | 'money' | 'cents' | 'number' | 'time' | 'day';

/** A column of a list's CSV file. Its key in `CsvColumns` is its English name. */
export interface CsvColumn {
  kind: Kind;
  inPortuguese: string;
  /**
   * The Portuguese translation of each value of a `word` column. For a `text` column, the translation of each
   * text that the platform itself writes.
   */
  words?: Readonly<Record<string, string>>;
  /**
   * Whether only files that are requested with a `locale` have this column. Other files never get new
   * columns, because programs read them.
   */
  needsLocale?: true;
}

export type CsvColumns = Readonly<Record<string, CsvColumn>>;

const columnOf = (kind: Kind) => (inPortuguese: string) => ({ kind, inPortuguese });

export const csv = {
  id: columnOf('id'),
  text: columnOf('text'),
  /** A column with texts of people and texts of the platform. Only the platform's texts are translated. */
  anyText: (inPortuguese: string) => ({
    kind: 'text' as const,
    inPortuguese,
    words: platformTexts['pt-BR'],
  }),
  money: columnOf('money'),
  cents: columnOf('cents'),
  number: columnOf('number'),
  time: columnOf('time'),
  day: columnOf('day'),
  word: (inPortuguese: string, words: Readonly<Record<string, string>>) => ({
    kind: 'word' as const,
    inPortuguese,
    words,
  }),
};

export const locale = z
  .enum(csvLocales)
  .optional()
  .meta({
    description:
      'Format of `text/csv`. pt-BR: for spreadsheets in Brazil, with semicolons, decimal commas, a byte ' +
      'order mark, Portuguese headings and values, and ids last. en: with commas and decimal points. The ' +
      'headings of both name the time zone. If omitted, the columns are the same in every release, for ' +
      'programs.',
  });

/** Returns the description of an endpoint's CSV file for the OpenAPI document. */
export function csvFile(columns: CsvColumns, order: string, example = '') {
  return {
    mediaType: 'text/csv' as const,
    description:
      `${order}. The parameters page, limit and after are refused. UTF-8, RFC 4180, with a header line, ` +
      'and every text in quotes. Amounts have a column in cents and a column of decimals with a point; ' +
      'with pt-BR they only have decimals with a comma. A text that a spreadsheet would read as a formula ' +
      'has an apostrophe before its sign. An incomplete file ends without its last chunk, and clients ' +
      'report an error.',
    example: `${csvHeads(columns).join(',')}\r\n${example}`,
  };
}

/** Returns the column names of a file that is requested without `locale`. Times in such a file are in UTC. */
export function csvHeads(columns: CsvColumns): string[] {
  return Object.entries(columns).flatMap(([name, { kind, needsLocale }]) => {
    if (needsLocale) return [];
    return kind === 'money' ? [name, `${name}Decimal`] : [name];
  });
}
