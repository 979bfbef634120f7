import { runMigrations } from '@plataforma/chassis';
import { migrations } from '../migrations/index.ts';

await runMigrations('withdrawals', migrations);
