import { BANK_TIME_ZONE, type TimeZone } from '@plataforma/kernel/time-zones';
import { createContext, useContext } from 'react';

/** The account's time zone, which all days and hours of the dashboard use instead of the browser's. */
export const Zone = createContext<TimeZone>(BANK_TIME_ZONE);

export const useZone = () => useContext(Zone);
