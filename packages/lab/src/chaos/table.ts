import { markdownTable } from '@plataforma/testing';
import { RACE } from './actors/acts/links.ts';
import { missedIn, possible } from './coverage.ts';
import type { Mutation } from './mutation.ts';
import { isRed, type RunReport } from './run.ts';
import type { UpgradeReport } from './upgrade/run.ts';

const ENOUGH = 5;

export function tableOf(reports: readonly RunReport[]): string {
  return [summaryOf(reports), faultsOf(reports), situationsOf(reports)].join('\n\n');
}

export interface Tried {
  mutation: Pick<Mutation, 'name' | 'breaks'>;
  /** The text of the finding that shows the mutation's harm, or null. */
  words: string | null;
}

export function tableOfMutations(tried: readonly Tried[]): string {
  const lines = tried.map(({ mutation, words }) => [
    ...[mutation.name, mutation.breaks],
    words === null ? 'NOT CAUGHT' : `caught: ${words}`,
  ]);
  return markdownTable(['Mutation', 'Broken rule', 'Caught'], lines);
}

export function tableOfUpgrade(report: UpgradeReport): string {
  const { strikes, during, deadLetters, findings, open, deaths, calls, acknowledged } = report;
  const found = [...findings, ...open].map(({ invariant, what }) => `(invariant ${invariant}) ${what}`);
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(0)} s`;
  const lines = [
    ['Outcome', isRed(report) ? 'RED' : 'all invariants hold, no work is in progress'],
    [
      'Operations',
      `${counted(sum([...calls.values()]))} calls, ${counted(acknowledged)} of them acknowledged`,
    ],
    ['From the first migration until the old release was gone', seconds(report.upgradeMs)],
    ['Calls in that time', `${counted(during.calls)}, ${during.failed} of them answered 5xx or not at all`],
    ['Migrations', strikes.flatMap(({ what }) => /^migrated: (.+)/.exec(what)?.[1] ?? []).join(', ')],
    ['Recovery after a step', halfAndAll(strikes.flatMap(({ recoveryMs }) => recoveryMs ?? []))],
    ['Events set aside', `${deadLetters.all}, ${deadLetters.replayed} of them replayed by operators`],
    ['Processes that did not stop in order', `${deaths.length}`],
    ['Found', foundIn([...found, ...deaths])],
  ];
  return markdownTable(['', ''], lines);
}

/** The situations that `tableOfRaces` counts, each in a row of its own. */
const OF_RACES = [
  'visits that were paid by Pix',
  'visits that were paid by card',
  'visits that were not paid',
  'visits that found no use left',
  'money that came late for a visit, and went back',
  'cards that were declined',
  'unknown card payment found done',
];

export function tableOfRaces(report: RunReport): string {
  const { played, aborted, seconds, findings, open, deaths, calls, acknowledged, failPoints, situations } =
    report;
  const found = [...findings, ...open].map(({ invariant, what }) => `(invariant ${invariant}) ${what}`);
  const struck = struckIn([report]);
  const lines = [
    ['Outcome', isRed(report) ? 'RED' : 'all invariants hold, no work is in progress'],
    ['Races that finished', `${counted(played.get(RACE) ?? 0)} in ${(seconds / 60).toFixed(0)} minutes`],
    ['Races that stopped early', counted(aborted.get(RACE) ?? 0)],
    [
      'Operations',
      `${counted(sum([...calls.values()]))} calls, ${counted(acknowledged)} of them acknowledged`,
    ],
    ['Faults', `${struck.length}; processes killed at ${failPoints.size} fail points`],
    ['Recovery', halfAndAll(struck.flatMap(({ recoveryMs }) => recoveryMs ?? []))],
    ...OF_RACES.map((name) => [name, counted(situations.get(name) ?? 0)]),
    ['Processes that did not stop in order', `${deaths.length}`],
    ['Found', foundIn([...found, ...deaths])],
  ];
  return markdownTable(['', ''], lines);
}

function foundIn(all: readonly string[]): string {
  if (all.length === 0) return 'nothing';
  const more = all.length > ENOUGH ? `; and ${all.length - ENOUGH} more` : '';
  return all.slice(0, ENOUGH).join('; ') + more;
}

function summaryOf(reports: readonly RunReport[]): string {
  const findings = reports.flatMap(({ findings: found, open }) => [...found, ...open]);
  const count = (kind: string) => findings.filter((finding) => finding.kind === kind).length;
  const seeds = reports.map(({ seed }) => seed).sort((left, right) => left - right);
  const seconds = sum(reports.map((report) => report.seconds));
  const calls = sum(reports.flatMap((report) => [...report.calls.values()]));
  const struck = new Set(reports.flatMap(({ failPoints }) => [...failPoints]));
  const unknown = reports.flatMap(({ unknownOutcomes }) => unknownOutcomes.map(({ ms }) => ms));
  return markdownTable(
    ['', ''],
    [
      [
        'Runs',
        `${reports.length}, seeds ${seeds.join(', ')}; faults for ${(seconds / 60).toFixed(0)} minutes`,
      ],
      [
        'Operations',
        `${counted(calls)} calls, ${counted(sum(reports.map(({ acknowledged }) => acknowledged)))} of them acknowledged`,
      ],
      [
        'Faults',
        `${struckIn(reports).length}; processes killed at ${struck.size} of ${possible.points.length} fail points`,
      ],
      ['Never occurred', missedIn(reports).join(', ') || 'nothing'],
      ['Processes that ended unexpectedly', `${reports.flatMap(({ deaths }) => deaths).length}`],
      ['Invariant violations', `${count('violation')}`],
      ['Acknowledged, but lost', `${count('lost')}`],
      ['Duplicate effects', `${count('doubled')}`],
      ['Recovery', halfAndAll(struckIn(reports).flatMap(({ recoveryMs }) => recoveryMs ?? []))],
      ['Unknown outcomes', `${counted(unknown.length)}; known after ${halfAndAll(unknown)}`],
    ],
  );
}

function faultsOf(reports: readonly RunReport[]): string {
  const strikes = reports.flatMap((report) => report.strikes);
  const each = strikes.flatMap(({ faults, recoveryMs }) =>
    faults.map(({ group, name }) => ({ kind: `${group}: ${name}`, recoveryMs })),
  );
  const lines = [...Map.groupBy(each, ({ kind }) => kind)].sort().map(([kind, all]) => {
    const recovered = all.flatMap(({ recoveryMs }) => recoveryMs ?? []);
    return [kind, `${all.length}`, halfAndAll(recovered)];
  });
  const table = markdownTable(['Fault', 'times', 'recovery'], lines);
  const unrecovered = strikes.filter(({ recoveryMs }) => recoveryMs === null).length;
  return unrecovered === 0 ? table : `${table}\n\nNOT RECOVERED: ${unrecovered}`;
}

function situationsOf(reports: readonly RunReport[]): string {
  const reported = reports.flatMap((report) => [...report.situations.keys()]);
  const names = new Set([...reported, ...possible.situations]);
  const lines = [...names].map((name) => [
    name,
    `${sum(reports.map((report) => report.situations.get(name) ?? 0))}`,
  ]);
  return markdownTable(['Situation', 'times'], lines);
}

/** Returns the strikes in which at least one fault had an effect. */
const struckIn = (reports: readonly RunReport[]) =>
  reports.flatMap(({ strikes }) => strikes.filter(({ faults }) => faults.length > 0));

const counted = (value: number) => value.toLocaleString('en');

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function halfAndAll(ms: readonly number[]): string {
  if (ms.length === 0) return '';
  const sorted = [...ms].sort((left, right) => left - right);
  const [median = 0, most = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  return `p50 ${(median / 1_000).toFixed(1)} s, max ${(most / 1_000).toFixed(1)} s`;
}
