import { runProcess } from '@plataforma/service';
import { startCharges } from './service.ts';

await runProcess((env, stopping) => startCharges(env, {}, stopping), 'charges');
