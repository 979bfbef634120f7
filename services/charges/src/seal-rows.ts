import { merchantRows, runSealing } from '@plataforma/service';
import { waitingEvents } from '@plataforma/tables';

await runSealing('charges', [waitingEvents, merchantRows]);
