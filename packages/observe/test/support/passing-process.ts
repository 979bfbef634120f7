import { registerHooks } from 'node:module';
import { basename } from 'node:path';

const loaded: string[] = [];
registerHooks({
  load(url, context, nextLoad) {
    if (url.includes('/fail-points/')) loaded.push(basename(url));
    return nextLoad(url, context);
  },
});

/** Reaches a fail point and a rare situation, and then prints which modules of the platform are loaded. */
const { failPointsOf, situationsOf } = await import('../../src/index.ts');
failPointsOf({ 'commit.due': 'a transaction is not committed' })('commit.due');
situationsOf(['duplicate event absorbed'])('duplicate event absorbed');
process.stdout.write(`passed with ${loaded.join(', ')}\n`);
