import { buildPages } from '@plataforma/local';
import { atMost, type Figures, megabytes, seconds } from '../figures.ts';
import { startTwice } from '../start.ts';
import { firstPaint } from './first-paint.ts';
import { paidShown } from './paid-shown.ts';
import { sizes } from './sizes.ts';

/** The benchmarks of `npm run bench -- pages`, apart from the others because they need a browser. */
export const benchmarksOfPages = {
  sizes,
  'first-paint': firstPaint,
  'paid-shown': paidShown,
  'start-with-pages': startWithPages,
};

/** Measures the time of `npm start` with built pages, and its memory at rest. */
async function startWithPages(): Promise<Figures> {
  await buildPages();
  const { cold, warm, memory } = await startTwice({ replicas: 1, web: { port: null } });
  const again = seconds(warm / 1000);
  const memoryMb = megabytes(memory.proportional);
  return {
    about:
      'Start of servers, services and `web`, the pages built; memory of all processes of Node after half a minute without a call, PostgreSQL and RabbitMQ not counted.',
    rows: [
      { what: 'first start, fresh data', value: seconds(cold / 1000) },
      { what: 'start after that', value: again, aim: atMost(again, 7) },
      { what: 'memory, PSS', value: memoryMb, aim: atMost(memoryMb, 620) },
      { what: 'memory, RSS', value: megabytes(memory.resident) },
    ],
  };
}
