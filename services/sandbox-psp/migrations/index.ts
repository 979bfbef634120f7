import { baselineOf } from '@plataforma/tables';
import { refundNatures } from './022-refund-natures.ts';

/**
 * The migrations in their order. A released migration must not change, because databases that have run it do
 * not run it again.
 */
export const migrations = [baselineOf({ folder: import.meta.dirname, covers: '018_weather' }), refundNatures];
