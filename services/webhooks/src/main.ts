import { runProcess } from '@plataforma/chassis';
import { startWebhooks } from './service.ts';

await runProcess(startWebhooks, 'webhooks');
