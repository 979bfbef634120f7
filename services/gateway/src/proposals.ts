import { isDuplicate, type Transaction } from '@plataforma/data';
import type { Core } from '@plataforma/service';
import type { GatewayConfig } from './config.ts';
import { promotion } from './operations/change-operator.ts';
import { settingsChange } from './operations/change-settings.ts';
import { creation, operatorExists } from './operations/create-operator.ts';
import { activeOperators } from './store/operators.ts';

/** Returns the changes of the gateway that two operators must make, and the dependencies of proposals. */
export function proposalsOf({ database, clock, config }: Core<GatewayConfig>) {
  return {
    ...{ database, clock, service: 'gateway' as const, actions: [creation, promotion, settingsChange] },
    operators: () => activeOperators(database, config),
    transaction: <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
      database.transaction(work).catch((error) => {
        throw isDuplicate(error, 'operators_email') ? operatorExists() : error;
      }),
  };
}
