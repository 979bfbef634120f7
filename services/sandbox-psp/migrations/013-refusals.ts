import type { Migration } from '@plataforma/data';

export const refusals: Migration = {
  name: '013_refusals',
  sql: `
    ALTER TABLE faults DROP CONSTRAINT faults_fault_check;
    ALTER TABLE faults ADD CONSTRAINT faults_fault_check
      CHECK (fault IN ('timeout', 'reset', 'error500', 'garbage', 'done_then_500', 'refused'));
  `,
};
