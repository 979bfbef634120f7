import { join } from 'node:path';
import { testStateTables } from '@plataforma/testing/state-tables';
import { migrations } from '../migrations/index.ts';
import { organizationTransitions } from '../src/domain/organization.ts';

testStateTables({
  root: join(import.meta.dirname, '..'),
  migrations,
  tables: {
    organizationTransitions: {
      table: organizationTransitions,
      initial: 'PENDING',
      ends: [],
      storedIn: 'organizations.status',
      steps: [
        'PENDING approve APPROVED',
        'PENDING reject REJECTED',
        'APPROVED suspend SUSPENDED',
        'SUSPENDED reactivate APPROVED',
        'REJECTED reactivate PENDING',
      ],
    },
  },
});
