import { type Migration, runMigrations } from '../../src/index.ts';

const steps: Migration[] = JSON.parse(process.env.STEPS ?? '[]');

await runMigrations('notes', steps);
