export { buildOnce } from './build-once.ts';
export { compressAll } from './compress.ts';
