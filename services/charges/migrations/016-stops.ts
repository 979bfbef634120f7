import { stopsTable } from '@plataforma/chassis';

export const stops = stopsTable('016_stops');
