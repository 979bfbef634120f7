export { failPointsOf, situationsOf } from '#fail-points';
export { coalesced } from './coalesced.ts';
export {
  actFor,
  comeFrom,
  continueTrace,
  currentContext,
  leaveNetwork,
  outsideContext,
  runInContext,
  traceIdOf,
  traceIn,
} from './context.ts';
export {
  defineMetrics,
  type GaugeSample,
  type Metric,
  openSinks,
  REQUEST_SECONDS,
  type ReadGauges,
} from './define-metrics.ts';
export { every, runJob } from './every.ts';
export { createLog, type Log } from './log.ts';
export { mask, wordsOf } from './mask.ts';
export type { Span } from './span.ts';
export { asCall, beginJob, beginServing, beginSpan, NO_ROUTE, servedAs, startTraces } from './traces.ts';
