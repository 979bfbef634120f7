import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isExcepted } from './exceptions.ts';
import { type Fault, faultsOfText, longLinesOf, longLinesOfMarkdown, type Words, wordsOf } from './rules.ts';
import { textsOfCode, textsOfMarkdown } from './texts.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const TABLE = 'docs/words.md';
/** The prose of Portuguese texts is not checked here, because another table and another test cover it. */
const PORTUGUESE = /(?:\/pt\/|\.pt-BR\.md$)/;

function git(...args: string[]): string[] {
  const output = execFileSync('git', args, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return output.split('\n').filter((line) => line !== '');
}

/**
 * Returns the subject lines of the commits that are not pushed yet. Returns the subject of the last commit if
 * all commits are pushed.
 */
function subjects(): string[] {
  const last = git('log', '--format=%s', '-1');
  try {
    const own = git('log', '--format=%s', '@{upstream}..HEAD');
    return own.length > 0 ? own : last;
  } catch {
    return last;
  }
}

function faultsOf(words: Words, path: string): Fault[] {
  const text = readFileSync(join(ROOT, path), 'utf8');
  if (/\.(?:css|sql)$/.test(path)) return longLinesOf(text);
  if (!path.endsWith('.md'))
    return [...textsOfCode(path, text).flatMap((each) => faultsOfText(words, each)), ...longLinesOf(text)];
  // The lines of these files may be long, because programs write the results of benchmarks and long test runs
  // into them.
  const longLines = path.endsWith('RESULTS.md') ? [] : longLinesOfMarkdown(text);
  if (path === TABLE) return longLines;
  const texts = textsOfMarkdown(text).filter(({ kind }) => kind === 'cell' || !PORTUGUESE.test(path));
  return [...texts.flatMap((each) => faultsOfText(words, each)), ...longLines];
}

const words = wordsOf(readFileSync(join(ROOT, TABLE), 'utf8'));
const paths = git('ls-files', '*.ts', '*.tsx', '*.md', '*.css', '*.sql');
const found = [
  ...paths.flatMap((path) => faultsOf(words, path).map((fault) => ({ path, ...fault }))),
  ...subjects().flatMap((text) =>
    faultsOfText(words, { kind: 'subject', line: 1, text }).map((fault) => ({ path: 'commit', ...fault })),
  ),
];
const faults = found.filter(({ path, ...fault }) => !isExcepted(path, fault));
for (const { path, line, rule, text } of faults)
  process.stdout.write(`${path}:${line}: ${rule}: ${text.slice(0, 200)}\n`);
if (faults.length > 0) process.exitCode = 1;
