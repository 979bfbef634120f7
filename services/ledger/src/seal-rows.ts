import { runSealing } from '@plataforma/service';
import { eventsToSeal, proposalsToSeal } from '@plataforma/tables';
import { entriesToTrust } from './store/entry-orders.ts';

await runSealing('ledger', [eventsToSeal, proposalsToSeal, entriesToTrust]);
