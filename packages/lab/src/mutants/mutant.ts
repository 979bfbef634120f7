import { createHash } from 'node:crypto';
import { type babel, Instrumenter } from '@stryker-mutator/instrumenter';

export interface Mutant {
  /** The id of the mutant. It depends on the text of the code and not on the line number. */
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly operator: string;
  /** The original line, or the original text if the mutant changes several lines. */
  readonly original: string;
  readonly mutated: string;
  readonly code: string;
}

type Options = Parameters<Instrumenter['instrument']>[1];
type Ignorer = Options['ignorers'][number];

/**
 * Functions that do nothing outside of chaos runs. A service's tests can't notice if a call of such a
 * function is removed.
 */
const UNSEEN = ['failPoint', 'situation'];
/** Excludes calls of the functions in `UNSEEN`, and the texts of errors that only a bug can throw. */
const unseen: Ignorer = {
  shouldIgnore({ node }: babel.NodePath) {
    const call = node.type === 'ExpressionStatement' ? node.expression : node;
    if (call.type !== 'CallExpression' && call.type !== 'NewExpression') return undefined;
    const name = call.callee.type === 'Identifier' ? call.callee.name : '';
    const isUnseen = call.type === 'NewExpression' ? name === 'Error' : UNSEEN.includes(name);
    return isUnseen ? 'no test can notice it' : undefined;
  },
};
const options: Options = { plugins: null, excludedMutations: [], ignorers: [unseen] };
const no = () => false;
const silent = () => {};
const quiet = {
  ...{ isTraceEnabled: no, isDebugEnabled: no, isInfoEnabled: no },
  ...{ isWarnEnabled: no, isErrorEnabled: no, isFatalEnabled: no },
  ...{ trace: silent, debug: silent, info: silent, warn: silent, error: silent, fatal: silent },
};

/** Returns every mutant that Stryker's operators make of a file. */
export async function mutantsOf(file: string, code: string): Promise<Mutant[]> {
  const source = { name: file, content: code, mutate: true };
  const { mutants } = await new Instrumenter(quiet).instrument([source], options);
  const lines = code.split('\n');
  const offsetOf = ({ line, column }: { line: number; column: number }) =>
    lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, column);
  const times = new Map<string, number>();
  const noticeable = mutants.filter(({ status }) => status !== 'Ignored');
  return noticeable.map(({ mutatorName: operator, replacement, location }) => {
    const [start, end] = [offsetOf(location.start), offsetOf(location.end)];
    // The parentheses are needed because JavaScript does not allow `&&` beside `??` without them.
    const text = operator === 'LogicalOperator' ? `(${replacement})` : replacement;
    const mutated = code.slice(0, start) + text + code.slice(end);
    const lineOf = (text: string) => text.split('\n')[location.start.line]?.trim() ?? '';
    const isOnOneLine = location.start.line === location.end.line;
    const shown = {
      ...{ file, operator, original: isOnOneLine ? lineOf(code) : onOneLine(code.slice(start, end)) },
      mutated: isOnOneLine ? lineOf(mutated) : onOneLine(text),
    };
    const key = JSON.stringify(shown);
    const before = times.get(key) ?? 0;
    times.set(key, before + 1);
    const id = createHash('sha256').update(`${key} ${before}`).digest('hex').slice(0, 8);
    return { ...shown, id, line: location.start.line + 1, code: mutated };
  });
}

const onOneLine = (text: string) => text.trim().replace(/\s+/g, ' ');
