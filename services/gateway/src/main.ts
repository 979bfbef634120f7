import { runProcess } from '@plataforma/service';
import { startGateway } from './service.ts';

await runProcess((env, stopping) => startGateway(env, {}, stopping), 'gateway');
