import { runMigrations } from '@plataforma/service';
import { migrations } from '../migrations/index.ts';

await runMigrations('sandbox-psp', migrations);
