import { clockQueue } from '@plataforma/service';

/** Charges that wait though their time is over by the clock of their sandbox. */
export const expiredByClock = clockQueue('charges', "status = 'PENDING' AND expires_at <= $2");
