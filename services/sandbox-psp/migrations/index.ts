import { baselineOf } from '@plataforma/tables';
import { refundNatures } from './022-refund-natures.ts';

/** In order. A migration is never edited after a release: upgraded databases do not run it again. */
export const migrations = [baselineOf({ folder: import.meta.dirname, covers: '018_weather' }), refundNatures];
