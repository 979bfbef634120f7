export { packAll } from './pack.ts';
