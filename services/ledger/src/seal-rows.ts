import { runSealing } from '@plataforma/service';
import { waitingEvents } from '@plataforma/tables';

await runSealing('ledger', [waitingEvents]);
