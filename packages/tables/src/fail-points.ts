import { situationsOf } from '@plataforma/observe';

/** Rare situations of shared tables that nothing outside can see. */
export const sometimes = situationsOf(['duplicate event absorbed']);
