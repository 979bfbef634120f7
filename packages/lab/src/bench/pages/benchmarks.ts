import { buildPages } from '@plataforma/local';
import { atMost, type Figures, megabytes, seconds } from '../figures.ts';
import { startTwice } from '../start.ts';
import { firstPaint } from './first-paint.ts';
import { paidShown } from './paid-shown.ts';
import { sizes } from './sizes.ts';

/**
 * The benchmarks of `npm run bench -- pages`. They are separate from the others because they need a browser.
 */
export const benchmarksOfPages = {
  sizes,
  'first-paint': firstPaint,
  'paid-shown': paidShown,
  'start-with-pages': startWithPages,
};

/**
 * Measures how long `npm start` takes when the pages are already built, and how much memory it needs at rest.
 */
async function startWithPages(): Promise<Figures> {
  await buildPages();
  const { cold, warm, memory } = await startTwice({ replicas: 1, web: { port: null } });
  const again = seconds(warm / 1000);
  const memoryMb = megabytes(memory.proportional);
  return {
    about:
      'Start of servers, services and `web` with built pages, and memory of all Node processes after ' +
      'half a minute without a call, without PostgreSQL and RabbitMQ.',
    rows: [
      { what: 'first start, fresh data', value: seconds(cold / 1000) },
      { what: 'start after that', value: again, aim: atMost(again, 7) },
      { what: 'memory, PSS', value: memoryMb, aim: atMost(memoryMb, 620) },
      { what: 'memory, RSS', value: megabytes(memory.resident) },
    ],
  };
}
