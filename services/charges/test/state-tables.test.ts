import { join } from 'node:path';
import { testStateTables } from '@plataforma/testing/state-tables';
import { migrations } from '../migrations/index.ts';
import { disputeTransitions } from '../src/disputes/domain/dispute.ts';
import { chargeTransitions } from '../src/domain/charge.ts';

testStateTables({
  root: join(import.meta.dirname, '..'),
  migrations,
  tables: {
    chargeTransitions: {
      table: chargeTransitions,
      initial: 'PENDING',
      ends: ['REFUNDED', 'EXPIRED', 'CANCELLED', 'DECLINED'],
      storedIn: 'charges.status',
      steps: [
        'PENDING pay PAID',
        'PENDING expire EXPIRED',
        'PENDING cancel CANCELLED',
        'PENDING decline DECLINED',
        'PAID refund REFUNDED',
        'PAID dispute DISPUTED',
        'DISPUTED win_dispute PAID',
        'DISPUTED lose_dispute REFUNDED',
      ],
    },
    disputeTransitions: {
      table: disputeTransitions,
      initial: 'OPEN',
      ends: ['RESOLVED_MERCHANT', 'RESOLVED_CUSTOMER', 'CANCELLED'],
      storedIn: 'disputes.status',
      steps: [
        'OPEN send_evidence UNDER_REVIEW',
        'OPEN win RESOLVED_MERCHANT',
        'OPEN lose RESOLVED_CUSTOMER',
        'OPEN cancel CANCELLED',
        'UNDER_REVIEW win RESOLVED_MERCHANT',
        'UNDER_REVIEW lose RESOLVED_CUSTOMER',
        'UNDER_REVIEW cancel CANCELLED',
      ],
    },
  },
});
