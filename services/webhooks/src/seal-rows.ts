import { runSealing } from '@plataforma/service';
import { waitingEvents } from '@plataforma/tables';

await runSealing('webhooks', [waitingEvents]);
