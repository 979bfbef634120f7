import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { candidatesIn } from './candidates.ts';
import { choose, serviceOf } from './choose.ts';
import { isEquivalent } from './equivalents.ts';
import { type Options, readOptions } from './options.ts';
import { isNoticed, reportOf } from './report.ts';
import { tryAll } from './trials.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const RESULTS = join(import.meta.dirname, 'RESULTS.md');

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());

const options = readOptions(process.argv.slice(2));
process.exitCode = options ? await main(options) : 2;

async function main({ seed, count, service, id }: Options): Promise<number> {
  const all = (await candidatesIn(ROOT)).filter((mutant) => !service || serviceOf(mutant) === service);
  const wanted = id
    ? all.filter((mutant) => mutant.id === id)
    : all.filter((mutant) => !isEquivalent(mutant));
  const chosen = choose(wanted, { seed, count });
  if (chosen.length === 0) {
    console.error('There is no such mutant.');
    return 2;
  }
  console.log(`${chosen.length} of ${all.length} mutants, seed ${seed}`);
  const [date, commit] = [new Date().toISOString().slice(0, 10), await commitOf(ROOT)];
  try {
    const trials = await tryAll(chosen, { checkout: ROOT, stopped: stop.signal, say: console.log });
    const report = reportOf({ date, commit, seed, trials });
    console.log(`\n${report}`);
    if (!service && !id) await writeFile(RESULTS, report);
    return trials.every(isNoticed) ? 0 : 1;
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    return 130;
  }
}

async function commitOf(root: string): Promise<string> {
  const git = async (...args: string[]) =>
    (await promisify(execFile)('git', args, { cwd: root })).stdout.trim();
  try {
    const isChanged = (await git('status', '--porcelain')) !== '';
    return `${await git('rev-parse', '--short', 'HEAD')}${isChanged ? ' with changes' : ''}`;
  } catch {
    return 'unknown';
  }
}
