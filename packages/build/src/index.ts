export { buildOnce } from './build-once.ts';
export { packAll } from './pack.ts';
