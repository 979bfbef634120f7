import { runSealing } from '@plataforma/service';
import { sealedRows } from './sealed-rows.ts';
import { entriesToTrust } from './store/entry-orders.ts';

await runSealing('ledger', [...sealedRows, entriesToTrust]);
