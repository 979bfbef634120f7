import { type ModuleItem, parseSync } from '@swc/core';
import type { Source } from './sources.ts';

/** The names that a file imports or re-exports from another file. */
export interface Import {
  from: string;
  /** The names as the imported file declares them; null if everything is imported. */
  names: readonly string[] | null;
  /** The re-exported names, each with its name in the imported file. Empty if nothing is re-exported. */
  passedOn: ReadonlyMap<string, string>;
  /** True for `export *`: the file re-exports everything that the imported file declares. */
  passesAll?: true;
}

const NOTHING: ReadonlyMap<string, string> = new Map();
/** Matches a dynamic import, such as `import('./a.ts')`, which may be anywhere in an expression. */
const WHILE_RUNNING = /\bimport\(\s*['"]([^'"]+)['"]/g;

/**
 * Returns the imports of a file. Imports of types are included, because a reader of the code opens these
 * files too.
 */
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
