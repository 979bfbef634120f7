import { runSealing } from '@plataforma/service';
import { eventsToSeal } from '@plataforma/tables';

await runSealing('gateway', [eventsToSeal]);
