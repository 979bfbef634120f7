import { markdownTable } from '@plataforma/testing';
import type { Mutant } from './mutant.ts';
import type { Failure } from './test-run.ts';

export type Outcome =
  | { readonly kind: 'caught'; readonly by: Failure }
  | { readonly kind: 'hung' | 'does not compile' | 'survived' }
  /** The test that failed with the mutant also fails without the mutant. */
  | { readonly kind: 'unclear'; readonly by: Failure };

export interface Trial {
  readonly mutant: Mutant;
  readonly outcome: Outcome;
  readonly seconds: number;
}

export function reportOf(trials: readonly Trial[], circumstances: string): string {
  const noticed = trials.filter(isNoticed).length;
  const head = ['Id', 'Place', 'Operator', 'Original', 'Mutated', 'Noticed by', 'Seconds'];
  const lines = trials.map(({ mutant, outcome, seconds }) => [
    ...[mutant.id, `${mutant.file}:${mutant.line}`, mutant.operator],
    ...[codeOf(mutant.original), codeOf(mutant.mutated), wordsOf(outcome, mutant)],
    seconds.toFixed(0),
  ]);
  return `Noticed ${noticed} of ${trials.length}, ${circumstances}.\n\n${markdownTable(head, lines)}`;
}

export const isNoticed = ({ outcome }: Trial) => outcome.kind !== 'survived' && outcome.kind !== 'unclear';

function wordsOf(outcome: Outcome, { file }: Mutant): string {
  const shortOf = ({ file: test, test: name }: Failure) =>
    `${test.replace(`${file.split('/src/')[0]}/test/`, '')}: ${name}`;
  switch (outcome.kind) {
    case 'caught':
      return shortOf(outcome.by);
    case 'hung':
      return 'tests that do not end';
    case 'does not compile':
      return 'the compiler';
    case 'survived':
      return '**SURVIVED**';
    case 'unclear':
      return `**UNCLEAR**: fails without the mutant, too: ${shortOf(outcome.by)}`;
  }
}

const LONGEST = 110;

function codeOf(text: string): string {
  const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  // Two backticks enclose the code, because the code may contain one backtick.
  return `\`\` ${shown} \`\``;
}
