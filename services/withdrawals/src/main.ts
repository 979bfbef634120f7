import { runProcess } from '@plataforma/chassis';
import { startWithdrawals } from './service.ts';

await runProcess((env, stopping) => startWithdrawals(env, {}, stopping), 'withdrawals');
