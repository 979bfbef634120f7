import { qrImageDataUri, writeDynamicCode } from '@plataforma/brcode';
import { ms, spread } from './measure.ts';

const ROUNDS = 2_000;
const LONGEST = 'pix.exemplo.com.br/qr/v2/0123456789abcdef0123456789abcdef0123456789ab';

/** The PNG of a charge's code: it is drawn on the thread that answers requests, so its time is everybody's. */
export async function images(): Promise<string[]> {
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
  return [
    `PNG of a charge's code, ${code.length} characters, ${ROUNDS} times   (aim: 1.5 ms of CPU)`,
    `  CPU ${ms((user + system) / 1000 / ROUNDS)} each   ${spread(latencies)}`,
  ];
}
