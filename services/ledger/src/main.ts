import { runProcess } from '@plataforma/service';
import { startLedger } from './service.ts';

await runProcess((env, stopping) => startLedger(env, {}, stopping), 'ledger');
