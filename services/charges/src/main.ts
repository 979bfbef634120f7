import { runProcess } from '@plataforma/chassis';
import { startCharges } from './service.ts';

await runProcess((env, stopping) => startCharges(env, {}, stopping), 'charges');
