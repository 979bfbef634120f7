export { failPoint, sometimes } from '#fail-points';
export {
  continueTrace,
  currentContext,
  outsideContext,
  runInContext,
  traceIdOf,
  traceIn,
} from './context.ts';
export { every, runJob } from './every.ts';
export { createLog, type Log } from './log.ts';
export { mask, wordsOf } from './mask.ts';
export { type GaugeName, metricCatalogue, type RecordedName } from './metric-catalogue.ts';
export { type GaugeSample, openSinks, type ReadGauges, recorder } from './metrics.ts';
export type { Span } from './span.ts';
export { asCall, beginJob, beginServing, beginSpan, NO_ROUTE, servedAs, startTraces } from './traces.ts';
