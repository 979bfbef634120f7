import { runSealing } from '@plataforma/service';
import { sealedRows } from './sealed-rows.ts';

await runSealing('gateway', sealedRows);
