import type { Clock } from '@plataforma/kernel';
import { every } from '@plataforma/observe';
import { forgetArgument } from '@plataforma/tables';
import { type AnchorAuditLogs, anchorAuditLogs } from './operations/anchor-audit-logs.ts';
import { PROPOSED_PASSWORD } from './operations/create-operator.ts';
import { type ResealFactors, resealFactors } from './operations/reseal-factors.ts';
import { announceExpiring } from './store/announce-expiring.ts';
import { pruneChallenges } from './store/operator-challenges.ts';
import { pruneRateCounters } from './store/rate-counters.ts';
import { deleteSessionsOver } from './store/sessions.ts';

interface Schedule extends AnchorAuditLogs {
  clock: Clock;
  everyMs?: number;
}

/**
 * The interval of the jobs. It is short, because a process that restarts often must delete old rows too; most
 * runs find none.
 */
const INTERVAL_MS = 60_000;
const CHUNK = 1_000;

/**
 * Runs the periodic jobs. They delete ended sessions, expired counters, expired challenges, and the passwords
 * of expired proposals. They also check the chains of audit logs, and announce API keys that expire soon.
 */
export function startSchedule(dependencies: Schedule): { stop(): Promise<void> } {
  const { database, log, clock, everyMs = INTERVAL_MS } = dependencies;
  const forgetSessions = async () => {
    while ((await deleteSessionsOver(database, CHUNK)) === CHUNK);
  };
  const forgetCounts = () => pruneRateCounters(database, clock());
  const forgetChallenges = () => pruneChallenges(database, clock());
  const announceKeys = async () => {
    while (await database.transaction((tx) => announceExpiring(tx, clock())));
  };
  const forgetPasswords = () => database.transaction((tx) => forgetArgument(tx, PROPOSED_PASSWORD));
  const jobs = [
    every({ everyMs, log, name: 'sessions that are over', work: forgetSessions }),
    every({ everyMs, log, name: 'counts of log-ins', work: forgetCounts }),
    every({ everyMs, log, name: 'expired challenges', work: forgetChallenges }),
    every({
      everyMs,
      log,
      name: 'anchors of audit logs',
      work: () => anchorAuditLogs(dependencies, clock()),
    }),
    every({ everyMs, log, name: 'expiring API keys', work: announceKeys }),
    every({ everyMs, log, name: 'passwords of expired proposals', work: forgetPasswords }),
  ];
  return {
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}

/** Seals the secrets of second factors again after a change of the sealing key. */
export function startResealing(dependencies: ResealFactors): { stop(): Promise<void> } {
  const { log } = dependencies;
  const work = () => resealFactors(dependencies);
  return every({ everyMs: INTERVAL_MS, log, name: 'sealed second factors', work });
}
