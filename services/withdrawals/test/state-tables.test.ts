import { join } from 'node:path';
import { testStateTables } from '@plataforma/testing/state-tables';
import { migrations } from '../migrations/index.ts';
import { withdrawalTransitions } from '../src/domain/withdrawal.ts';

testStateTables({
  root: join(import.meta.dirname, '..'),
  migrations,
  tables: {
    withdrawalTransitions: {
      table: withdrawalTransitions,
      initial: 'DEBITING',
      ends: ['REFUSED', 'ABANDONED', 'COMPLETED', 'FAILED', 'REJECTED'],
      storedIn: 'withdrawals.status',
      steps: [
        'DEBITING open PENDING',
        'DEBITING refuse REFUSED',
        'DEBITING abandon ABANDONED',
        'PENDING approve APPROVED',
        'PENDING reject REJECTED',
        'APPROVED start PROCESSING',
        'PROCESSING complete COMPLETED',
        'PROCESSING fail FAILED',
      ],
    },
  },
});
