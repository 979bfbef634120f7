import { join } from 'node:path';
import { testStateTables } from '@plataforma/testing/state-tables';
import { migrations } from '../migrations/index.ts';
import { deliveryTransitions } from '../src/domain/delivery.ts';

testStateTables({
  root: join(import.meta.dirname, '..'),
  migrations,
  tables: {
    deliveryTransitions: {
      table: deliveryTransitions,
      initial: 'PENDING',
      // A person may send an ended delivery again.
      ends: [],
      storedIn: 'deliveries.status',
      steps: [
        ...['PENDING succeed SUCCEEDED', 'PENDING try_again PENDING', 'PENDING give_up FAILED'],
        ...['PENDING resend PENDING', 'PENDING stay_received SUCCEEDED'],
        ...['SUCCEEDED resend PENDING', 'FAILED resend PENDING'],
      ],
    },
  },
});
