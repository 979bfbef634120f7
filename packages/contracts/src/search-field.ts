import { text } from './fields.ts';

const WORDS =
  'All words must match, in any order, with or without accents and capitals. A word such as `45,50`, ' +
  '`R$ 45` or `1.234,56` also matches this amount.';

/**
 * Returns the schema of a list's search field. Its description names the identifiers that a search compares
 * first (`identifies`), and the texts whose parts it compares otherwise (`words`).
 */
export const searchField = (identifies: string, words: string, more = '') =>
  text(255)
    .optional()
    .meta({
      description:
        `Finds rows by ${identifies}. If this finds none, and for every text of letters, the words are ` +
        `compared with parts of ${words}. ${WORDS}${more}`,
    });

export const searchByCharge = (row: 'refund' | 'dispute') =>
  searchField(
    `a complete id of the ${row} or of its charge, the last 8 characters of one, or the payer’s document ` +
      'or e-mail',
    'the payer’s name and of the externalId of the charge',
    ' At most 10000 rows are counted (`meta.totalIsCapped`).',
  );
