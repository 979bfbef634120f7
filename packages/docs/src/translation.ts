import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TEXTS = fileURLToPath(new URL('../texts/pt', import.meta.url));

/** Translates a text of the OpenAPI document into the language of a page. */
export type Translate = (english: string) => string;

/** Reads all English texts of the reference with their Portuguese translations. */
export async function readTexts(): Promise<[english: string, portuguese: string][]> {
  const names = (await readdir(TEXTS)).sort();
  const files = names.map(async (name): Promise<Record<string, string>> => {
    return JSON.parse(await readFile(join(TEXTS, name), 'utf8'));
  });
  return (await Promise.all(files)).flatMap((texts) => Object.entries(texts));
}

/**
 * Returns a function that translates a text into Portuguese. A text without a translation stays in English,
 * and a test then fails.
 */
export async function readTranslate(): Promise<Translate> {
  const texts = new Map(await readTexts());
  return (english) => texts.get(english) ?? english;
}

/** Matches fenced code blocks, which are not translated. */
const FENCED = /(^```[\s\S]*?^```)/m;

/** Translates each heading, paragraph and cell of Markdown separately. */
export function markdownIn(markdown: string, translate: Translate): string {
  return markdown
    .split(FENCED)
    .map((part) =>
      part.startsWith('```')
        ? part
        : part.replace(/\S(?:.|\n(?!\n))*/g, (block) => blockIn(block, translate)),
    )
    .join('');
}

function blockIn(block: string, translate: Translate): string {
  if (block.startsWith('|')) return block.replace(/[^|\n]+/g, (cell) => cellIn(cell, translate));
  const [, mark = '', text = '', end = ''] = /^(#+ )?(.*?)(\n?)$/s.exec(block) ?? [];
  return mark + translate(text.replaceAll('\n', ' ')) + end;
}

/** A cell without lower-case letters outside code, such as a number or a status, is not translated. */
function cellIn(cell: string, translate: Translate): string {
  const text = cell.trim();
  return /[a-z]/.test(text.replace(/`[^`]*`/g, '')) ? ` ${translate(text)} ` : cell;
}
