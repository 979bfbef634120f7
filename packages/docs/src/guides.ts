import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Samples } from './blocks.ts';
import { type Rendered, renderGuide } from './markdown.ts';
import { type Language, languages } from './model.ts';

const OPERATE = fileURLToPath(new URL('../../../docs/operate', import.meta.url));
const GUIDES = fileURLToPath(new URL('../../../docs/guide', import.meta.url));

export interface Guide extends Rendered {
  language: Language;
  slug: string;
  title: string;
  description: string;
  order: number;
  /** The guide's Markdown without the front matter, with the text of its code samples. */
  markdown: string;
}

export async function readGuides(): Promise<Guide[]> {
  const samples = await readSamples();
  const all = await Promise.all(languages.map((language) => guidesOf(language, samples)));
  return all.flat().sort((one, other) => one.order - other.order);
}

/**
 * Reads the pages for operators as Markdown. Below each title, adds a line that says that the page is for
 * operators.
 */
export async function readOperatorPages(): Promise<string[]> {
  const names = (await readdir(OPERATE)).filter((name) => name.endsWith('.md'));
  return Promise.all(
    names.toSorted().map(async (name) => {
      const text = await readFile(join(OPERATE, name), 'utf8');
      return text.replace('\n', `\n\nFor operators: docs/operate/${name}\n`);
    }),
  );
}

async function guidesOf(language: Language, samples: Samples): Promise<Guide[]> {
  const folder = join(GUIDES, language);
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.md'));
  return Promise.all(
    names.map(async (name) => {
      const { head, text } = partsOf(await readFile(join(folder, name), 'utf8'), `${language}/${name}`);
      return {
        ...{ language, slug: name.slice(0, -'.md'.length), ...head },
        ...renderGuide(text, language, samples),
        markdown: withSamples(text, samples),
      };
    }),
  );
}

function partsOf(whole: string, name: string) {
  const [, front, text] = /^---\n(.*?)\n---\n(.*)$/s.exec(whole) ?? [];
  if (front === undefined || text === undefined) throw new Error(`docs/guide/${name} has no head`);
  const read = (field: string) => {
    const value = new RegExp(`^${field}: *(.+)$`, 'm').exec(front)?.[1]?.trim();
    if (value === undefined) throw new Error(`docs/guide/${name} has no ${field}`);
    return value.replace(/^(["'])(.*)\1$/, '$2');
  };
  const head = { title: read('title'), description: read('description'), order: Number(read('order')) };
  return { head, text };
}

const LINK_ALONE = /^\[[^\]]+\]\((?:\.\.\/)+samples\/([^)]+)\)$/gm;

function withSamples(text: string, samples: Samples): string {
  return text.replace(LINK_ALONE, (_link, path: string) => {
    const ending = /\.(\w+)(?:#.*)?$/.exec(path)?.[1] ?? '';
    return `\n\`\`\`${ending}\n${samples(path)}\n\`\`\`\n`;
  });
}

async function readSamples(): Promise<Samples> {
  const folder = join(GUIDES, 'samples');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'));
  const read = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(folder.length + 1), await readFile(path, 'utf8')] as const;
  });
  const texts = new Map(await Promise.all(read));
  return (address) => {
    const [path = '', region] = address.split('#');
    const text = texts.get(path);
    if (text === undefined) throw new Error(`there is no docs/guide/samples/${path}`);
    return region === undefined ? withoutMarks(text).trim() : regionOf(text, address, region);
  };
}

const MARK = /\b(?:end)?region [\w-]+\s*$/;

function withoutMarks(text: string): string {
  return text
    .split('\n')
    .filter((line) => !MARK.test(line))
    .join('\n');
}

function regionOf(text: string, address: string, region: string): string {
  const lines = text.split('\n');
  const begin = lines.findIndex((line) => line.trimEnd().endsWith(` region ${region}`));
  const end = lines.findIndex((line) => line.trimEnd().endsWith(` endregion ${region}`));
  if (begin < 0 || end < begin) throw new Error(`there is no such region: docs/guide/samples/${address}`);
  const inside = lines.slice(begin + 1, end).filter((line) => !MARK.test(line));
  const indents = inside
    .filter((line) => line.trim() !== '')
    .map((line) => /^\s*/.exec(line)?.[0].length ?? 0);
  const indent = Math.min(...indents);
  return inside.map((line) => line.slice(indent)).join('\n');
}
