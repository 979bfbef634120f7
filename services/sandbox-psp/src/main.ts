import { runProcess } from '@plataforma/chassis';
import { startSandboxPsp } from './service.ts';

await runProcess(startSandboxPsp, 'sandbox-psp');
