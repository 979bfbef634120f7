import type { Migration } from '@plataforma/data';
import { runMigrations } from '../../src/index.ts';

const steps: Migration[] = JSON.parse(process.env.STEPS ?? '[]');

await runMigrations('notes', steps);
