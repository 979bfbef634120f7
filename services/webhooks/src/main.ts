import { runProcess } from '@plataforma/chassis';
import { startWebhooks } from './service.ts';

await runProcess((env, stopping) => startWebhooks(env, {}, stopping), 'webhooks');
