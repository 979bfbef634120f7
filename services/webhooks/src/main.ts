import { runProcess } from '@plataforma/service';
import { startWebhooks } from './service.ts';

await runProcess((env, stopping) => startWebhooks(env, {}, stopping), 'webhooks');
