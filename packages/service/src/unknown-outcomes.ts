import { environments } from '@plataforma/kernel';
import type { GaugeSample } from '@plataforma/observe';
import { metrics } from './metrics.ts';

/** The number of works without a known end, and the oldest's time; a row of a database. */
interface Unknown {
  kind: string;
  environment: string;
  count: number;
  oldest_seconds: number;
}

/** The gauges of all these kinds in both environments; where there is no row, nothing is unknown. */
export function unknownOutcomes(kinds: readonly string[], rows: readonly Unknown[]): GaugeSample[] {
  return kinds.flatMap((kind) =>
    environments.flatMap((environment): GaugeSample[] => {
      const found = rows.find((row) => row.kind === kind && row.environment === environment);
      const labels = { kind, environment };
      return [
        metrics.gauge('plataforma_unknown_outcomes', labels, found?.count ?? 0),
        metrics.gauge('plataforma_unknown_oldest_seconds', labels, found?.oldest_seconds ?? 0),
      ];
    }),
  );
}
