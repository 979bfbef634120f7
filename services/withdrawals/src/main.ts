import { runProcess } from '@plataforma/chassis';
import { startWithdrawals } from './service.ts';

await runProcess(startWithdrawals, 'withdrawals');
