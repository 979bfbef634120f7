import { runProcess } from '@plataforma/chassis';
import { startGateway } from './service.ts';

await runProcess((env, stopping) => startGateway(env, {}, stopping), 'gateway');
