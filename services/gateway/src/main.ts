import { runProcess } from '@plataforma/chassis';
import { startGateway } from './service.ts';

await runProcess(startGateway, 'gateway');
