import { stopsTable } from '@plataforma/service';

export const stops = stopsTable('016_stops');
