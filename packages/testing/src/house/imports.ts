import { type ModuleItem, parseSync } from '@swc/core';
import type { Source } from './sources.ts';

/** The names that a file takes from another, or passes on. */
export interface Import {
  from: string;
  /** As the other file calls them; null: all there is. */
  names: readonly string[] | null;
  /** The other file's name of each name that is passed on; empty for those that the file uses itself. */
  passedOn: ReadonlyMap<string, string>;
  /** `export *`: the file passes on all that the other one declares. */
  passesAll?: true;
}

const NOTHING: ReadonlyMap<string, string> = new Map();
/** `import('./a.ts')`, which may stand in any expression. */
const WHILE_RUNNING = /\bimport\(\s*['"]([^'"]+)['"]/g;

/** Answers the imports of a file, those of types included, because a reader follows them as well. */
export function importsIn({ text }: Source): Import[] {
  const { body } = parseSync(text, { syntax: 'typescript', target: 'es2024' });
  const later = [...text.matchAll(WHILE_RUNNING)].map(([, from = '']) => whole(from));
  return [...body.flatMap(importOf), ...later];
}

function whole(from: string): Import {
  return { from, names: null, passedOn: NOTHING };
}

function importOf(item: ModuleItem): Import[] {
  if (item.type === 'ExportAllDeclaration') return [{ ...whole(item.source.value), passesAll: true }];
  if (item.type === 'ImportDeclaration') {
    const names = item.specifiers.map((each) =>
      each.type === 'ImportSpecifier' ? (each.imported ?? each.local).value : null,
    );
    const listed = names.filter((name) => name !== null);
    const isAll = listed.length < names.length || names.length === 0;
    return [{ ...whole(item.source.value), names: isAll ? null : listed }];
  }
  if (item.type !== 'ExportNamedDeclaration' || !item.source) return [];
  const passedOn = new Map(
    item.specifiers.flatMap((each) =>
      each.type === 'ExportSpecifier' ? [[(each.exported ?? each.orig).value, each.orig.value] as const] : [],
    ),
  );
  return [{ from: item.source.value, names: [...passedOn.values()], passedOn }];
}
