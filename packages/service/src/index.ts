export { closeAlarm, openAlarmGauges, serveAlarms } from './alarms.ts';
export { chainRoutes } from './chain-routes.ts';
export {
  createMerchantDirectory,
  isCurrentSql,
  keepingMerchants,
  type MerchantDirectory,
  merchantRows,
} from './merchants.ts';
export { startMetrics } from './metrics-server.ts';
export {
  type CountDecision,
  createOperatorSums,
  type LoneDecision,
  loneDecision,
} from './operator-sums.ts';
export { type ActiveOperator, type ActiveOperators, createOperatorDirectory } from './operators.ts';
export {
  type Decision,
  decidersIn,
  inReais,
  type ProposedAction,
  type ProposedActions,
  proposedAction,
} from './proposals/action.ts';
export {
  approveProposal,
  type ProposalDependencies,
  type Requested,
  rejectProposal,
  requestChange,
} from './proposals/decide.ts';
export { proposalRoutes, proposalView, readProposalPart, shownOr202 } from './proposals/proposal-routes.ts';
export { measured } from './provider-calls.ts';
export { clientsByMerchant, isSandboxBank, SANDBOX_MERCHANT } from './provider-clients.ts';
export { type Running, runProcess } from './run.ts';
export { runMigrations } from './run-migrations.ts';
export { runSealing, sealExistingRows } from './run-sealing.ts';
export {
  createSandboxBank,
  movedClock,
  noSandboxBank,
  requireSandbox,
  type SandboxBank,
} from './sandbox-bank.ts';
export {
  aheadOf,
  aheadOfEach,
  type ClockQueue,
  clockCount,
  clockQueue,
  dueByClock,
  endByMerchantClock,
  type MovedClock,
  merchantTime,
  raiseClocks,
  sandboxClockRoute,
  withClockOffset,
} from './sandbox-clocks.ts';
export { decideApproval, operatorsFor, requireApprover, requireSingle } from './second-operator.ts';
export {
  brokerOf,
  connectionLimitOf,
  eventSettings,
  orderSettings,
  requireWholeGroups,
  serviceSettings,
  signatureRules,
  strangerSettings,
  takeConfig,
} from './settings.ts';
export { createBegun } from './start/begun.ts';
export { openLiveUpdates } from './start/messages.ts';
export type { Core, Server } from './start/service.ts';
export { defineService } from './start/start-service.ts';
export { createStops, OrderStopped, type Stops, waitingFor } from './stops/gate.ts';
export { stopRoutes } from './stops/stop-routes.ts';
export { nothingOnRecord, serveTimeline } from './timeline.ts';
export { unknownOutcomes } from './unknown-outcomes.ts';
