import type { SummaryView } from '@plataforma/contracts';
import { addDays, type Cents, dayOf, startOfDay, type TimeZone } from '@plataforma/kernel';
import { MOST_DAYS, tooLong } from './closings.ts';
import type { StatementRow } from './posting.ts';
import { type Method, methods } from './wallet.ts';

type SummaryType = SummaryView['movements'][number]['type'];

/**
 * The type of each statement row in a summary, by the row's subject. The subject is a charge, a withdrawal,
 * or else the kind of the row's entry.
 */
const typesOf: Readonly<Record<string, Partial<Record<StatementRow['type'], SummaryType>>>> = {
  charge: {
    CREDIT: 'PAYMENT',
    FEE: 'FEE',
    REFUND: 'REFUND',
    DISPUTE_RESERVE: 'DISPUTE',
    DISPUTE_RELEASE: 'DISPUTE',
    DISPUTE_DEFICIT: 'DISPUTE',
  },
  withdrawal: { WITHDRAWAL: 'WITHDRAWAL', FEE: 'WITHDRAWAL_FEE' },
  adjustment: { CREDIT: 'ADJUSTMENT', DEBIT: 'ADJUSTMENT' },
  block: { DEBIT: 'BLOCK' },
  unblock: { CREDIT: 'BLOCK' },
};

/** The types of movements, in the order of the response. */
const summaryTypes = new Set(Object.values(typesOf).flatMap((types) => Object.values(types)));

/** The types that make up the net amount. */
const NET: readonly SummaryType[] = ['PAYMENT', 'FEE', 'REFUND', 'DISPUTE'];

/** The rows of a period that have the same subject, type and payment method. */
export interface RowSum {
  subject: string;
  type: StatementRow['type'];
  paymentMethod: Method | null;
  count: number;
  amount: Cents;
}

interface SummaryMovement extends Omit<RowSum, 'subject' | 'type'> {
  type: SummaryType;
}

interface Summary {
  openingBalance: Cents;
  netAmount: Cents;
  closingBalance: Cents;
  movements: SummaryMovement[];
}

/** Adds up the sums by type and method. Throws if they do not lead from the opening to the closing balance. */
export function summaryOf(
  sums: readonly RowSum[],
  { openingBalance, closingBalance }: Pick<Summary, 'openingBalance' | 'closingBalance'>,
): Summary {
  const typed = sums.map((sum) => ({ ...sum, type: summaryTypeOf(sum) }));
  const total = (rows: readonly { amount: Cents }[]) => rows.reduce((sum, { amount }) => sum + amount, 0);
  if (openingBalance + total(typed) !== closingBalance) {
    throw new Error('the rows of a period disagree with its balances');
  }
  const movements = [...summaryTypes].flatMap((type) =>
    [...methods, null].flatMap((paymentMethod) => {
      const rows = typed.filter((row) => row.type === type && row.paymentMethod === paymentMethod);
      const count = rows.reduce((sum, row) => sum + row.count, 0);
      return count === 0 ? [] : [{ type, paymentMethod, count, amount: total(rows) }];
    }),
  );
  const netAmount = total(typed.filter(({ type }) => NET.includes(type)));
  return { openingBalance, netAmount, closingBalance, movements };
}

function summaryTypeOf({ subject, type }: RowSum): SummaryType {
  const summaryType = typesOf[subject]?.[type];
  if (!summaryType) throw new Error(`no summary has a type for rows ${type} of ${subject}`);
  return summaryType;
}

interface PeriodQuery {
  startDate?: Date | undefined;
  /** The end of the period (exclusive). Without an end the period ends now. */
  endDate?: Date | undefined;
  timeZone: TimeZone;
}

/** The age at which an instant is final. Open transactions may still insert rows before newer instants. */
const SETTLED_AFTER_MS = 60_000;

/**
 * Returns the period of a summary. Without a start, the period begins with the month of its end. Throws
 * VALIDATION_ERROR for more than 366 days.
 */
export function summaryPeriod({ startDate, endDate, timeZone }: PeriodQuery, now: Date) {
  const end = endDate ?? (startDate && startDate > now ? startDate : now);
  const lastDay = dayOf(new Date(end.getTime() - 1), timeZone);
  const start = startDate ?? startOfDay(`${lastDay.slice(0, 'yyyy-mm-'.length)}01`, timeZone);
  if (addDays(dayOf(start, timeZone), MOST_DAYS) < dayOf(end, timeZone)) throw tooLong();
  return { start, end, isOver: end.getTime() <= now.getTime() - SETTLED_AFTER_MS };
}
