import { runProcess } from '@plataforma/chassis';
import { startCharges } from './service.ts';

await runProcess(startCharges, 'charges');
