import { runSealing } from '@plataforma/service';
import { eventsToSeal } from '@plataforma/tables';

await runSealing('ledger', [eventsToSeal]);
