import { situationsOf } from '@plataforma/observe';

export const sometimes = situationsOf(['duplicate event absorbed']);
