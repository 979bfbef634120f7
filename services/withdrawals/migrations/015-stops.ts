import { stopsTable } from '@plataforma/chassis';

export const stops = stopsTable('015_stops');
