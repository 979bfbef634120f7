import { runSealing } from '@plataforma/service';
import { eventsToSeal, proposalsToSeal } from '@plataforma/tables';

await runSealing('ledger', [eventsToSeal, proposalsToSeal]);
