import type { ReadGauges } from '@plataforma/observe';
import { readPartitions, readProposalGauges } from '@plataforma/tables';
import { requestLog } from '../migrations/index.ts';
import type { GatewayDependencies } from './dependencies.ts';
import { readAnchorGauges } from './store/audit-anchors.ts';
import { readEpochGauges } from './store/audit-epoch-proposals.ts';
import { readFactorGauges } from './store/operator-factors.ts';

export function gaugesOf({
  readCircuits,
  database,
  requestLogRetentionDays: keepDays,
}: GatewayDependencies): ReadGauges[] {
  return [
    readCircuits,
    () => readAnchorGauges(database),
    () => readEpochGauges(database),
    () => readFactorGauges(database),
    () => readProposalGauges(database),
    () => readPartitions(database, [{ ...requestLog, keepDays }]),
  ];
}
