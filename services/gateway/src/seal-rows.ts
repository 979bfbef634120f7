import { runSealing } from '@plataforma/service';
import { eventsToSeal, proposalsToSeal } from '@plataforma/tables';

await runSealing('gateway', [eventsToSeal, proposalsToSeal]);
