import { runProcess } from '@plataforma/service';
import { startSandboxPsp } from './service.ts';

await runProcess((env, stopping) => startSandboxPsp(env, {}, stopping), 'sandbox-psp');
