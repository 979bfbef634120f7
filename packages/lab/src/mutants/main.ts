import { resolve } from 'node:path';
import { runFacts, writeMeasuredPart } from '@plataforma/testing';
import { candidatesIn } from './candidates.ts';
import { choose, serviceOf } from './choose.ts';
import type { Mutant } from './mutant.ts';
import { type Options, readOptions } from './options.ts';
import { isNoticed, reportOf } from './report.ts';
import { tryAll } from './trials.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const RESULTS = new URL('RESULTS.md', import.meta.url);

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());

const options = readOptions(process.argv.slice(2));
process.exitCode = options ? await main(options) : 2;

async function main({ seed, count, service, ids }: Options): Promise<number> {
  const all = await candidatesIn(ROOT);
  const isSelected = (mutant: Mutant) =>
    ids.length > 0 ? ids.includes(mutant.id) : !service || serviceOf(mutant) === service;
  const chosen = choose(all.filter(isSelected), { seed, count });
  if (chosen.length === 0) {
    console.error('There is no such mutant.');
    return 2;
  }
  const facts = await runFacts();
  console.log(`${chosen.length} of ${all.length} mutants, seed ${seed}; ${facts}`);
  try {
    const trials = await tryAll(chosen, { checkout: ROOT, stopped: stop.signal, say: console.log });
    const report = reportOf(trials, `seed ${seed}, on ${facts}`);
    console.log(`\n${report}`);
    if (!service && ids.length === 0) await writeMeasuredPart(RESULTS, 'mutants', report);
    return trials.every(isNoticed) ? 0 : 1;
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    return 130;
  }
}
