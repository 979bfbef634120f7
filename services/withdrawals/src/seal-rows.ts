import { runSealing } from '@plataforma/service';
import { sealedRows } from './sealed-rows.ts';
import { approvalsToTrust } from './store/trusted-approvals.ts';

await runSealing('withdrawals', [approvalsToTrust, ...sealedRows]);
