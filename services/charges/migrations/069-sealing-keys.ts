import { sealingKeysTable } from '@plataforma/data';

export const sealingKeys = sealingKeysTable('069_sealing_keys');
