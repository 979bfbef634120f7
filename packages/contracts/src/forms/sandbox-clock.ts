import { z } from 'zod';
import { instant } from '../days.ts';

const DAY_MS = 86_400_000;
/** The longest time, in milliseconds, by which one request may move the clock of a sandbox forward. */
export const MAX_ADVANCE_MS = 365 * DAY_MS;
/** The maximum number of milliseconds by which a sandbox's clock may be ahead of real time. */
export const MAX_AHEAD_MS = 5 * MAX_ADVANCE_MS;

const DURATION =
  /^P(?!$)(?:(\d{1,2})W)?(?:(\d{1,3})D)?(?:T(?!$)(?:(\d{1,4})H)?(?:(\d{1,6})M)?(?:(\d{1,8})S)?)?$/;
const UNITS_MS = [7 * DAY_MS, DAY_MS, 3_600_000, 60_000, 1_000];
const UNLIKE_DURATION = 'must be a duration in weeks, days, hours, minutes and seconds, such as P3D or PT36H';

/** An ISO 8601 duration. Months and years are refused, because their length varies. */
const duration = z
  .string()
  .regex(DURATION, UNLIKE_DURATION)
  .transform(millisecondsOf)
  .refine((ms) => ms > 0 && ms <= MAX_ADVANCE_MS, 'must be longer than nothing, and at most P365D')
  .meta({ minLength: 1, example: 'P3D' });

function millisecondsOf(text: string): number {
  const units = DURATION.exec(text)?.slice(1) ?? [];
  return units.reduce((sum, unit, index) => sum + Number(unit ?? 0) * (UNITS_MS[index] ?? 0), 0);
}

export const clockMove = z
  .object({
    advance: duration.optional().meta({ description: 'Duration of the move, at most P365D.' }),
    at: instant
      .transform((value) => new Date(value))
      .optional()
      .meta({ description: 'Target instant, at most 365 days later than the sandbox’s own time.' }),
  })
  .refine(({ advance, at }) => (advance === undefined) !== (at === undefined), {
    path: ['advance'],
    message: 'send either advance or at',
  });
