/** How many digits behind the point each unit has. */
const DIGITS = { '/s': 0, ms: 1, s: 1, µs: 0, MB: 0, kB: 1, '%': 1, '': 3, '×': 2 } as const;
/** A rate below it has one digit more. */
const SMALL = 100;

export interface Quantity {
  amount: number;
  unit: keyof typeof DIGITS;
}

export interface Aim {
  words: string;
  isMet: boolean;
}

/** One line of what a benchmark has measured. */
export interface Row {
  what: string;
  value?: Quantity;
  /** In milliseconds, as p95 and p99. */
  p50?: number;
  p95?: number;
  p99?: number;
  aim?: Aim;
  note?: string;
}

/** What a benchmark has measured, and how. */
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

/** `20,000`. */
export const counted = (amount: number) => amount.toLocaleString('en');

/** `1,234/s`, `0.58 ×`. */
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

/** The rows as text, without the columns that none of them has. */
export function cellsOf(rows: readonly Row[]): { head: string[]; lines: string[][] } {
  const used = Object.entries(columns).filter(([, cell]) => rows.some((row) => cell(row) !== undefined));
  return {
    head: used.map(([name]) => name),
    lines: rows.map((row) => used.map(([, cell]) => cell(row) ?? '')),
  };
}
