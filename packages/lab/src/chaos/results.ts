import { namesOf, writeMeasuredPart } from '@plataforma/testing';
import type { RunReport } from './run.ts';
import { type Tried, tableOf, tableOfMutations, tableOfRaces, tableOfUpgrade } from './table.ts';
import type { UpgradeReport } from './upgrade/run.ts';

const RESULTS = new URL('./RESULTS.md', import.meta.url);

/** Writes the results of a campaign of `runs` runs. `reports` are the runs that finished. */
export async function writeCampaign(
  reports: readonly RunReport[],
  { runs, facts }: { runs: number; facts: string },
  file = RESULTS,
): Promise<void> {
  const [first] = reports;
  if (!first) throw new Error('a campaign without a run has no results');
  const missing = reports.length < runs ? ` **${reports.length} of ${runs} runs finished.**` : '';
  const circumstances = `Measured on ${facts}, ${namesOf(first.servers)}.${missing}`;
  await writeMeasuredPart(file, 'campaign', `${circumstances}\n\n${tableOf(reports)}`);
}

export async function writeMutations(tried: readonly Tried[], facts: string, file = RESULTS): Promise<void> {
  const caught = tried.filter(({ words }) => words !== null);
  const circumstances = `Caught ${caught.length} of ${tried.length}, on ${facts}.`;
  await writeMeasuredPart(file, 'mutations', `${circumstances}\n\n${tableOfMutations(tried)}`);
}

export async function writeRaces(report: RunReport, facts: string, file = RESULTS): Promise<void> {
  const circumstances = `Seed ${report.seed}, on ${facts}, ${namesOf(report.servers)}.`;
  await writeMeasuredPart(file, 'races', `${circumstances}\n\n${tableOfRaces(report)}`);
}

export async function writeUpgrade(report: UpgradeReport, facts: string, file = RESULTS): Promise<void> {
  const { commit, roll, seconds, seed, servers, stopFirst } = report;
  const stopped = stopFirst.length > 0 ? ` --stop-first ${stopFirst.join(',')}` : '';
  const settings = `From ${commit}, seed ${seed}, --roll ${roll}${stopped}, ${seconds.toFixed(0)} s side by side`;
  const circumstances = `${settings}; on ${facts}, ${namesOf(servers)}.`;
  await writeMeasuredPart(file, `upgrade ${roll}`, `${circumstances}\n\n${tableOfUpgrade(report)}`);
}
