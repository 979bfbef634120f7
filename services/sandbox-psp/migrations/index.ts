import { baselineOf } from '@plataforma/tables';
import { refundNatures } from './022-refund-natures.ts';

/**
 * The migrations in order. A released migration never changes, because upgraded databases do not run it
 * again.
 */
export const migrations = [baselineOf({ folder: import.meta.dirname, covers: '018_weather' }), refundNatures];
