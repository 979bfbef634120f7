import { stopsTable } from '@plataforma/service';

export const stops = stopsTable('015_stops');
