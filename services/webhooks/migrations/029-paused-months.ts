import { pausedInPlace } from '@plataforma/data';
import { attemptsByMonth, deliveriesByMonth, eventsByMonth } from './026-events-by-month.ts';

export const pausedMonths = pausedInPlace('029_paused_months', [
  eventsByMonth,
  deliveriesByMonth,
  attemptsByMonth,
]);
