/**
 * Loaded into a process with `node --import`: hastens what takes too long for a run, and takes the guard away that
 * `MUTATION` names, if any, as the process loads its files.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { edited } from '../mutation.ts';
import { mutations } from '../mutations.ts';
import { hastened } from './hastened.ts';

const repository = new URL('../../../../../', import.meta.url);
const edits = [...hastened, ...guardsIn(process.env.MUTATION)];

function guardsIn(name: string | undefined) {
  if (name === undefined) return [];
  const mutation = mutations.find((one) => one.name === name);
  if (!mutation) throw new Error(`there is no mutation ${name}`);
  return mutation.edits;
}

registerHooks({
  load(url, context, nextLoad) {
    const own = edits.filter(({ file }) => new URL(file, repository).href === url);
    const loaded = nextLoad(url, context);
    return own.length === 0 ? loaded : { ...loaded, source: edited(readFileSync(new URL(url), 'utf8'), own) };
  },
});
