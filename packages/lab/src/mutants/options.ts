import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

const USAGE = `npm run mutants -- [--seed N] [--count 30] [--service NAME] [--id ID]
  --seed     selects the mutants; by default a random number
  --count    the number of mutants, spread over services, files and operators
  --service  selects mutants of this service only
  --id       selects this mutant only, by its id in an earlier run; may be repeated`;

export interface Options {
  readonly seed: number;
  readonly count: number;
  readonly service: string | undefined;
  readonly ids: readonly string[];
}

/** Parses the options. For invalid options it prints the problem and returns null. */
export function readOptions(args: string[]): Options | null {
  try {
    const text = { type: 'string' } as const;
    const id = { type: 'string', multiple: true } as const;
    const options = { seed: text, count: text, service: text, id };
    const { values } = parseArgs({ args, options });
    return {
      seed: wholeOf('seed', values.seed ?? String(randomInt(1, 1_000_000))),
      count: wholeOf('count', values.count ?? '30'),
      service: values.service,
      ids: values.id ?? [],
    };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    return null;
  }
}

function wholeOf(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`--${name} must be a positive whole number`);
  return value;
}
