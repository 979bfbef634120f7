import { qrImageDataUri, writeDynamicCode } from '@plataforma/brcode';
import { atMost, counted, type Figures, milliseconds } from './figures.ts';
import { spread } from './measure.ts';

const ROUNDS = 2_000;
const LONGEST = 'pix.exemplo.com.br/qr/v2/0123456789abcdef0123456789abcdef0123456789ab';

/** The PNG of a charge's code: it is drawn on the thread that answers requests, and all of them wait for it. */
export async function images(): Promise<Figures> {
  const code = writeDynamicCode({ location: LONGEST, merchantName: 'Plataforma', merchantCity: 'Sao Paulo' });
  for (let round = 0; round < 200; round += 1) qrImageDataUri(code);
  const latencies: number[] = [];
  const before = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    qrImageDataUri(code);
    latencies.push(performance.now() - startedAt);
  }
  const { user, system } = process.cpuUsage(before);
  const each = milliseconds((user + system) / 1000 / ROUNDS);
  return {
    about: `PNG of a charge's code of ${code.length} characters, drawn ${counted(ROUNDS)} times; the figure is processor time.`,
    rows: [{ what: 'PNG', value: each, ...spread(latencies), aim: atMost(each, 1.5) }],
  };
}
