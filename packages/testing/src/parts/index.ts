export { attempt } from './attempt.ts';
export { newKeyPair, trusting } from './keys.ts';
export { keptLog, silent } from './log.ts';
export { CALLER, tracing } from './tracing.ts';
export { echo, holdConnections, send, sendRaw, serving } from './web.ts';
