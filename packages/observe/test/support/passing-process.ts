import { registerHooks } from 'node:module';
import { basename } from 'node:path';

const loaded: string[] = [];
registerHooks({
  load(url, context, nextLoad) {
    if (url.includes('/fail-points/')) loaded.push(basename(url));
    return nextLoad(url, context);
  },
});

/** Passes a fail point, meets a rare situation, and tells which modules of ours it took for that. */
const { failPointsOf, situationsOf } = await import('../../src/index.ts');
failPointsOf({ 'commit.due': 'a transaction is not committed' })('commit.due');
situationsOf(['duplicate event absorbed'])('duplicate event absorbed');
process.stdout.write(`passed with ${loaded.join(', ')}\n`);
