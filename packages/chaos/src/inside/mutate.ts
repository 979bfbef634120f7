/** Loaded into a process with `node --import`: takes from it the guard that `MUTATION` names, as its files are loaded. */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { edited, mutations } from '../mutations.ts';

const repository = new URL('../../../../', import.meta.url);
const mutation = mutations.find(({ name }) => name === process.env.MUTATION);
if (!mutation) throw new Error(`there is no mutation ${process.env.MUTATION}`);

registerHooks({
  load(url, context, nextLoad) {
    const edits = mutation.edits.filter(({ file }) => new URL(file, repository).href === url);
    const loaded = nextLoad(url, context);
    return edits.length === 0
      ? loaded
      : { ...loaded, source: edited(readFileSync(new URL(url), 'utf8'), edits) };
  },
});
