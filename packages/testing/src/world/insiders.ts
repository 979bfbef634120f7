/** The helpers of insiders that also run outside jest. */
export { openAt } from './open-test-database.ts';
export { changeRows } from './resealing.ts';
