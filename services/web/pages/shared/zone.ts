import { BANK_TIME_ZONE, type TimeZone } from '@plataforma/kernel/time-zones';
import { createContext, useContext } from 'react';

/** The account's time zone: the dashboard's days and hours follow it, whatever the zone of the browser is. */
export const Zone = createContext<TimeZone>(BANK_TIME_ZONE);

export const useZone = () => useContext(Zone);
