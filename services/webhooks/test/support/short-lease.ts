import { runProcess } from '@plataforma/chassis';
import { startWebhooks } from '../../src/service.ts';

/** A service process to be killed in a test: what it had claimed is due again soon. */
await runProcess((env) => startWebhooks(env, { leaseMs: 1_500 }));
