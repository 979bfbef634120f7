import { type Database, every, type Log } from '@plataforma/chassis';
import { systemClock } from '@plataforma/kernel';
import { pruneRateCounters } from './store/rate-counters.ts';

const PRUNE_EVERY_MS = 60_000;

/** Deletes the counts of log-ins that are over, every minute, until stopped. */
export function startCounterPruning(database: Database, log: Log): { stop(): Promise<void> } {
  const work = () => pruneRateCounters(database, systemClock());
  return every({ everyMs: PRUNE_EVERY_MS, log, name: 'prune counters', work });
}
