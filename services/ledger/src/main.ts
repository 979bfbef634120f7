import { runProcess } from '@plataforma/chassis';
import { startLedger } from './service.ts';

await runProcess((env, stopping) => startLedger(env, {}, stopping), 'ledger');
