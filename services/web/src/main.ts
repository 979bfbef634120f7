import { runProcess } from '@plataforma/service';
import { startWeb } from './service.ts';

await runProcess((env, stopping) => startWeb(env, {}, stopping), 'web');
