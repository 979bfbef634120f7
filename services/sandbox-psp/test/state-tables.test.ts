import { join } from 'node:path';
import { testStateTables } from '@plataforma/testing/state-tables';
import { migrations } from '../migrations/index.ts';
import { callbackTransitions } from '../src/domain/callback.ts';
import { cardChargeTransitions } from '../src/domain/card-charge.ts';
import { chargeTransitions } from '../src/domain/charge.ts';
import { payoutTransitions } from '../src/domain/payout.ts';
import { refundTransitions } from '../src/domain/refund.ts';

testStateTables({
  root: join(import.meta.dirname, '..'),
  migrations,
  tables: {
    callbackTransitions: {
      table: callbackTransitions,
      initial: 'PENDING',
      ends: ['DELIVERED', 'ABANDONED'],
      storedIn: 'callbacks.state',
      steps: ['PENDING deliver DELIVERED', 'PENDING try_again PENDING', 'PENDING abandon ABANDONED'],
    },
    cardChargeTransitions: {
      table: cardChargeTransitions,
      initial: 'processing',
      ends: ['failed', 'canceled'],
      storedIn: 'card_charges.status',
      steps: [
        'processing approve paid',
        'processing decline failed',
        'paid refund paid',
        'paid cancel canceled',
        'paid chargeBack chargedback',
        'chargedback undoChargeback paid',
      ],
    },
    chargeTransitions: {
      table: chargeTransitions,
      initial: 'ATIVA',
      ends: [],
      storedIn: 'charges.status',
      steps: [
        'ATIVA revise ATIVA',
        'ATIVA remove REMOVIDA_PELO_USUARIO_RECEBEDOR',
        'ATIVA pay CONCLUIDA',
        'CONCLUIDA pay CONCLUIDA',
        'REMOVIDA_PELO_USUARIO_RECEBEDOR pay REMOVIDA_PELO_USUARIO_RECEBEDOR',
      ],
    },
    payoutTransitions: {
      table: payoutTransitions,
      initial: 'EM_PROCESSAMENTO',
      ends: ['REALIZADO', 'NAO_REALIZADO'],
      storedIn: 'payouts.status',
      steps: ['EM_PROCESSAMENTO complete REALIZADO', 'EM_PROCESSAMENTO fail NAO_REALIZADO'],
    },
    refundTransitions: {
      table: refundTransitions,
      initial: 'EM_PROCESSAMENTO',
      ends: ['DEVOLVIDO', 'NAO_REALIZADO'],
      storedIn: 'refunds.status',
      steps: ['EM_PROCESSAMENTO complete DEVOLVIDO', 'EM_PROCESSAMENTO refuse NAO_REALIZADO'],
    },
  },
});
