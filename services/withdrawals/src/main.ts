import { runProcess } from '@plataforma/service';
import { startWithdrawals } from './service.ts';

await runProcess((env, stopping) => startWithdrawals(env, {}, stopping), 'withdrawals');
