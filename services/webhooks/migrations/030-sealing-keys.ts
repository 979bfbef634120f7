import { sealingKeysTable } from '@plataforma/data';

export const sealingKeys = sealingKeysTable('030_sealing_keys');
