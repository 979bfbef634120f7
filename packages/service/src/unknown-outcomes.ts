import { environments } from '@plataforma/kernel';
import type { GaugeSample } from '@plataforma/observe';
import { metrics } from './metrics.ts';

/** A row with the number of orders whose outcome is unknown, and the age of the oldest. */
interface Unknown {
  kind: string;
  environment: string;
  count: number;
  oldest_seconds: number;
}

/** Returns the gauges of all kinds in both environments. A kind without a row has no unknown outcomes. */
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
