import { createInterface } from 'node:readline';
import { failPointsOf, situationsOf } from '@plataforma/observe';

const failPoint = failPointsOf({ 'commit.due': 'one', 'payout.answered': 'another' });
const situation = situationsOf(['duplicate event absorbed']);

/** Reports a rare situation twice. Then reaches a fail point for each line of input, and prints the line. */
situation('duplicate event absorbed');
situation('duplicate event absorbed');
process.stdout.write('ready\n');
for await (const line of createInterface(process.stdin)) {
  failPoint(line === 'other' ? 'commit.due' : 'payout.answered');
  process.stdout.write(`passed ${line}\n`);
}
