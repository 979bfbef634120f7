/**
 * The count of a wallet's statement rows of one category. A stored count includes all rows up to the end of
 * `day`. A computed count includes only the rows of that UTC day.
 */
export interface RowCount {
  category: string;
  day: string;
  rows: number;
  /** The ordinal of the last counted row in the wallet. */
  last: number;
}

export function countDifferences(stored: readonly RowCount[], counted: readonly RowCount[]): Difference[] {
  const expected = new Map(cumulative(counted).map((count) => [nameOf(count), count]));
  const recorded = new Map(stored.map((count) => [nameOf(count), count]));
  return [...new Set([...recorded.keys(), ...expected.keys()])].flatMap((name) => {
    const [stands, should] = [recorded.get(name), expected.get(name)];
    return [
      ...differing(`rows of ${name}`, stands?.rows ?? 0, should?.rows ?? 0),
      ...differing(`last row of ${name}`, stands?.last ?? 0, should?.last ?? 0),
    ];
  });
}

const nameOf = ({ category, day }: RowCount) => `${category} until ${day}`;

function cumulative(counted: readonly RowCount[]): RowCount[] {
  const totals = new Map<string, number>();
  return counted
    .toSorted((one, other) => (one.day < other.day ? -1 : 1))
    .map((count) => {
      const rows = (totals.get(count.category) ?? 0) + count.rows;
      totals.set(count.category, rows);
      return { ...count, rows };
    });
}

function differing(subject: string, recorded: number, computed: number): Difference[] {
  return recorded === computed ? [] : [{ what: subject, recorded, computed }];
}

/** A stored value that differs from the value that was computed from the entries. */
export interface Difference {
  what: string;
  /** The stored value (cents, a hash, a time or an id). Null if no value is stored. */
  recorded: number | string | null;
  computed: number | string | null;
}
