import { createInterface } from 'node:readline';
import { failPoint, sometimes } from '@plataforma/observe';

/** Passes a point for each line it hears, and says so after it. */
sometimes('duplicate event absorbed');
sometimes('duplicate event absorbed');
process.stdout.write('ready\n');
for await (const line of createInterface(process.stdin)) {
  failPoint(line === 'other' ? 'commit.due' : 'payout.answered');
  process.stdout.write(`passed ${line}\n`);
}
