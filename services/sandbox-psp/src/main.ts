import { runProcess } from '@plataforma/chassis';
import { startSandboxPsp } from './service.ts';

await runProcess((env, stopping) => startSandboxPsp(env, {}, stopping), 'sandbox-psp');
