import { BANK_TIME_ZONE, type TimeZone } from '@plataforma/kernel/time-zones';
import { createContext, useContext } from 'react';

/**
 * The account's time zone. All days and hours of the dashboard use this zone and not the browser's time zone.
 */
export const Zone = createContext<TimeZone>(BANK_TIME_ZONE);

export const useZone = () => useContext(Zone);
