import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const root = new URL('../../../', import.meta.url).pathname;

const isOurs = (path: string) => !/(^|\/)(node_modules|built|\.local)(\/|$)/.test(path);

export function readDocuments(): Map<string, string> {
  const paths = globSync('**/*.md', { cwd: root, exclude: (found) => !isOurs(found) });
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

/**
 * Returns the code blocks of a document in one language, in their order. The blocks in `sh` are commands that
 * readers paste into a shell.
 */
export function blocksOf(document: string, language = 'sh'): string[] {
  const blocks = new RegExp(`^\`\`\`${language}(?: tab=\\w+)?\\n([\\s\\S]*?)^\`\`\`$`, 'gm');
  return [...document.matchAll(blocks)].map(([, block = '']) => block);
}

export interface Link {
  from: string;
  /** The path of the linked file or folder, relative to the repository. */
  path: string;
  anchor: string | undefined;
}

/**
 * Returns the relative links of a document. Links to other sites and to pages of the docs site are left out.
 */
export function linksOf(from: string, document: string): Link[] {
  const prose = document.replace(/^ *```[\s\S]*?^ *```$/gm, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
    if (/^([a-z]+:|\/)/.test(target)) return [];
    const [file = '', anchor] = target.split('#');
    return [{ from, path: file === '' ? from : join(dirname(from), file), anchor }];
  });
}

/** Returns the anchors that GitHub creates for the headings of a document. */
export function anchorsOf(document: string): string[] {
  return [...document.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Returns the names in the column "Names" of the table "Public names" in a package's README. */
export function publicNamesOf(document: string): string[] {
  const [, section = ''] = document.split(/^## Public names$/m);
  const [own = ''] = section.split(/^## /m);
  const [head = [], , ...rows] = own
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|'));
  const column = head.findIndex((cell) => /^ Names? +$/.test(cell));
  const named = rows.map((cells) => cells[column] ?? '');
  return named.flatMap((cell) => [...cell.matchAll(/`([a-z]\w*)`/gi)].map(([, name = '']) => name));
}
