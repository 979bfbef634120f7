/** The number of decimals of each unit. */
const DIGITS = { '/s': 0, ms: 1, s: 1, µs: 0, MB: 0, kB: 1, '%': 1, '': 3, '×': 2 } as const;
/** A rate below this value that is not a whole number is shown with one more decimal. */
const SMALL = 100;

export interface Quantity {
  amount: number;
  unit: keyof typeof DIGITS;
}

export interface Aim {
  words: string;
  isMet: boolean;
}

export interface Row {
  what: string;
  value?: Quantity;
  /** The median latency. All three percentiles are in milliseconds. */
  p50?: number;
  p95?: number;
  p99?: number;
  aim?: Aim;
  note?: string;
}

export interface Figures {
  about: string;
  rows: readonly Row[];
}

export const perSecond = (amount: number): Quantity => ({ amount, unit: '/s' });
export const milliseconds = (amount: number): Quantity => ({ amount, unit: 'ms' });
export const seconds = (amount: number): Quantity => ({ amount, unit: 's' });
export const microseconds = (amount: number): Quantity => ({ amount, unit: 'µs' });
export const megabytes = (amount: number): Quantity => ({ amount, unit: 'MB' });
export const kilobytes = (amount: number): Quantity => ({ amount, unit: 'kB' });
export const percent = (amount: number): Quantity => ({ amount, unit: '%' });
export const score = (amount: number): Quantity => ({ amount, unit: '' });
export const times = (amount: number): Quantity => ({ amount, unit: '×' });

export const atMost = (actual: Quantity, limit: number): Aim => ({
  words: `≤ ${said({ ...actual, amount: limit })}`,
  isMet: actual.amount <= limit,
});

export const atLeast = (actual: Quantity, limit: number): Aim => ({
  words: `≥ ${said({ ...actual, amount: limit })}`,
  isMet: actual.amount >= limit,
});

export const counted = (amount: number) => amount.toLocaleString('en');

/** Returns a text such as `1,234/s` or `0.58 ×`. */
export function said({ amount, unit }: Quantity): string {
  const digits = DIGITS[unit] + (unit === '/s' && amount < SMALL && !Number.isInteger(amount) ? 1 : 0);
  const number = amount.toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return unit === '/s' ? `${number}${unit}` : `${number} ${unit}`.trimEnd();
}

const columns: Record<string, (row: Row) => string | undefined> = {
  '': ({ what }) => what,
  figure: ({ value }) => value && said(value),
  p50: ({ p50 }) => duration(p50),
  p95: ({ p95 }) => duration(p95),
  p99: ({ p99 }) => duration(p99),
  aim: ({ aim }) => aim && `${aim.words}${aim.isMet ? '' : ', missed'}`,
  note: ({ note }) => note,
};

function duration(amount: number | undefined): string | undefined {
  return amount === undefined ? undefined : said({ amount, unit: 'ms' });
}

/** Returns the head and lines of a table as text, without columns that are empty in every row. */
export function cellsOf(rows: readonly Row[]): { head: string[]; lines: string[][] } {
  const used = Object.entries(columns).filter(([, cell]) => rows.some((row) => cell(row) !== undefined));
  return {
    head: used.map(([name]) => name),
    lines: rows.map((row) => used.map(([, cell]) => cell(row) ?? '')),
  };
}
