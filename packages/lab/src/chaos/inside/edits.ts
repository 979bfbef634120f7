/**
 * Changes source files when a process loads them. `node --import` loads this file. It shortens long
 * intervals, and removes the guard that `MUTATION` names.
 */
import fs from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import { pathToFileURL } from 'node:url';
import { edited, JOINT } from '../mutation.ts';
import { mutations } from '../mutations.ts';
import { shortened } from './shortened.ts';

const repository = new URL('../../../../../', import.meta.url);
const edits = [...shortened, ...guardsIn(process.env.MUTATION)];

function guardsIn(name: string | undefined) {
  if (name === undefined) return [];
  return name.split(JOINT).flatMap((part) => {
    const mutation = mutations.find((one) => one.name === part);
    if (!mutation) throw new Error(`there is no mutation ${part}`);
    return mutation.edits;
  });
}

const editsOf = (url: string) => edits.filter(({ file }) => new URL(file, repository).href === url);
const { readFileSync } = fs;

registerHooks({
  load(url, context, nextLoad) {
    const own = editsOf(url);
    const loaded = nextLoad(url, context);
    return own.length === 0 ? loaded : { ...loaded, source: edited(readFileSync(new URL(url), 'utf8'), own) };
  },
});

/** SQL files are changed when they are read, because hooks for loading modules do not apply to them. */
function readEdited(...args: Parameters<typeof readFileSync>) {
  const content = readFileSync(...args);
  const path = String(args[0]);
  return path.endsWith('.sql') ? edited(String(content), editsOf(pathToFileURL(path).href)) : content;
}
Object.assign(fs, { readFileSync: readEdited });
syncBuiltinESMExports();
