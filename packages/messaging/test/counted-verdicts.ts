import { startMetrics } from '@plataforma/service';
import { openMetricsScraper } from '@plataforma/testing';
import { log } from './fixture.ts';

/**
 * Returns counts of the signature verdicts and of the events set aside. The counts start now and come from
 * this process's metrics.
 */
export async function countVerdicts(atTheEnd: (close: () => unknown) => void) {
  const scraper = await openMetricsScraper();
  const config = { HOST: '127.0.0.1', METRICS_PORT: scraper.port };
  const metrics = await startMetrics({ service: 'messaging', config, log, gauges: [] });
  atTheEnd(() => metrics.stop());
  const read = async () => {
    const shown = await scraper.scrape();
    const verdicts = ['valid', 'unsigned', 'invalid'].map((verdict) => [
      verdict,
      shown.valueOf('plataforma_event_signatures_total', { verdict }) ?? 0,
    ]);
    const dead = { outcome: 'dead' };
    return { ...Object.fromEntries(verdicts), dead: shown.valueOf('plataforma_events_total', dead) ?? 0 };
  };
  const before: Record<string, number> = await read();
  return async () => {
    const now: Record<string, number> = await read();
    return Object.fromEntries(
      Object.entries(now).map(([name, count]) => [name, count - (before[name] ?? 0)]),
    );
  };
}
