import { z } from 'zod';
import { platformTexts } from './value-words.ts';

const csvLocales = ['pt-BR', 'en'] as const;
export type CsvLocale = (typeof csvLocales)[number];

/**
 * `text` is free text of people, `word` one of several values, `id` an id of this API, `money` cents with their decimal,
 * `cents` the same without it, `number` a count or a ratio, `time` an instant, `day` a calendar day.
 */
type Kind = 'id' | 'text' | 'word' | 'money' | 'cents' | 'number' | 'time' | 'day';

/** A column of a list's file; its English name is the key of its table. */
export interface CsvColumn {
  kind: Kind;
  inPortuguese: string;
  /** Values in Portuguese: all of a `word`, and those of a `text` that the platform writes. */
  words?: Readonly<Record<string, string>>;
  /** Left out of files without a locale, whose columns never change. */
  needsLocale?: true;
}

/** The columns of a list's file, in their order. */
export type CsvColumns = Readonly<Record<string, CsvColumn>>;

const columnOf = (kind: Kind) => (inPortuguese: string) => ({ kind, inPortuguese });

export const csv = {
  id: columnOf('id'),
  text: columnOf('text'),
  /** A text of people or of the platform. */
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

/** The parameter of a list that has a file. */
export const locale = z
  .enum(csvLocales)
  .optional()
  .meta({
    description:
      'Of `text/csv`. pt-BR: as spreadsheets in Brazil read it, with semicolons, decimal commas, a byte order mark, Portuguese ' +
      'heads and values, and ids last. en: with commas and decimal points. The heads of both name the zone of their times. ' +
      'Left out: the same columns in every release, for programs.',
  });

/** The file of a list, as its endpoint describes it. */
export function csvFile(columns: CsvColumns, order: string, example = '') {
  return {
    mediaType: 'text/csv' as const,
    description:
      `${order}; page, limit and after are refused. UTF-8, RFC 4180, with a header line, and every text in quotes. ` +
      'Amounts are in cents and, beside them, decimals with a point; of pt-BR decimals with a comma only. Text that a ' +
      'spreadsheet would take for a formula has an apostrophe before its sign. A file that was cut short ends without its ' +
      'last chunk, and clients report an error.',
    example: `${csvHeads(columns).join(',')}\r\n${example}`,
  };
}

/** The heads of a file without a locale, with times in UTC. */
export function csvHeads(columns: CsvColumns): string[] {
  return Object.entries(columns).flatMap(([name, { kind, needsLocale }]) => {
    if (needsLocale) return [];
    return kind === 'money' ? [name, `${name}Decimal`] : [name];
  });
}
