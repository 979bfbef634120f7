import { runProcess } from '@plataforma/chassis';
import { startLedger } from './service.ts';

await runProcess(startLedger, 'ledger');
