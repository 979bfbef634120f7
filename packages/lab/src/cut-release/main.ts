import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

// `npm run release -- 0.7.0` writes the version into these files, dates the change log, commits and tags.

const FILES = [
  'package.json',
  ...['cli', 'mcp', 'observe', 'sdk'].map((name) => `packages/${name}/package.json`),
  ...['cli', 'mcp', 'sdk'].map((name) => `packages/${name}/src/version.ts`),
  ...['en', 'pt'].flatMap((language) =>
    ['cli', 'mcp', 'sdk'].map((page) => `docs/guide/${language}/${page}.md`),
  ),
  'packages/mcp/README.md',
  'deploy/Dockerfile',
  'deploy/helm/plataforma/Chart.yaml',
];
const VERSION = /^\d+\.\d+\.\d+$/;
const UNRELEASED = '## Unreleased\n';

const { values, positionals } = parseArgs({
  options: { root: { type: 'string', default: resolve(import.meta.dirname, '../../../..') } },
  allowPositionals: true,
});
const { root } = values;
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

try {
  release(positionals[0] ?? '');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function release(version: string): void {
  if (!VERSION.test(version)) throw new Error('usage: npm run release -- 0.7.0');
  const before: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (!isNewer(version, before.version)) throw new Error(`${version} is not newer than ${before.version}`);
  if (git('status', '--porcelain') !== '') throw new Error('commit your changes first');
  const changed = new Map([
    ['CHANGELOG.md', dated(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version)],
    ...FILES.map((file) => [file, withVersion(file, before.version, version)] as const),
  ]);
  for (const [file, text] of changed) writeFileSync(join(root, file), text);
  git('commit', '--all', '--message', `Release ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `Release ${version}`);
  console.log(`Release ${version} is committed and tagged: git push --follow-tags`);
}

function isNewer(version: string, than: string): boolean {
  return version.localeCompare(than, undefined, { numeric: true }) > 0;
}

/**
 * Returns the change log with the unreleased changes under the new version and date, and an empty section for
 * the next release.
 */
function dated(changeLog: string, version: string): string {
  const [intro = '', rest] = changeLog.split(UNRELEASED);
  if (!rest || /^\s*(?:## |$)/.test(rest)) throw new Error('CHANGELOG.md has nothing below "Unreleased"');
  const day = new Date().toISOString().slice(0, 10);
  return `${intro}${UNRELEASED}\n## ${version} - ${day}\n${rest}`;
}

function withVersion(file: string, before: string, version: string): string {
  const text = readFileSync(join(root, file), 'utf8');
  const number = before.replaceAll('.', '\\.');
  const versions = new RegExp(
    `(version"?: "?|VERSION ?= ?'?|appVersion: "|plataforma-(?:cli|mcp|sdk)-)${number}(?!\\d)`,
    'g',
  );
  if (!versions.test(text)) throw new Error(`${file} does not name ${before}`);
  return text.replace(versions, `$1${version}`);
}
