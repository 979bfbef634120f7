import { situationsOf } from '@plataforma/observe';

export const situation = situationsOf(['duplicate event absorbed']);
