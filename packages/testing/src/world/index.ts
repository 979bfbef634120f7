export {
  type RefundDebit,
  refundRoute,
  type WithdrawalDebit,
  withdrawalRoute,
} from '../fakes/debit-routes.ts';
export { type Emitter, startEmitter } from '../fakes/emitter.ts';
export { type FakeLedger, startFakeLedger } from '../fakes/fake-ledger.ts';
export { listenAs } from '../fakes/listen-as.ts';
export {
  type Answered,
  type Caller,
  type CallerOptions,
  callerTo,
  envelope,
  isLeftUndone,
  type Message,
  repeatWhileUndone,
} from './caller.ts';
export { type Issuer, identitiesFor, keysOfWorker, newTenant } from './identities.ts';
export { type OpenTestDatabase, openAt, openTestDatabase, silent } from './open-test-database.ts';
export { planOf } from './plan-of.ts';
export { keepRow, putBack } from './put-back.ts';
export { changeRows, runSealRows, testRowKeys } from './resealing.ts';
export { flipColumns } from './row-flips.ts';
export { type Scan, watchScans } from './scans.ts';
export { processesOfService, type ServiceProcess } from './service-process.ts';
export { NO_BROKER, type ServiceWorld, startServiceWorld } from './service-world.ts';
export { shareWorld } from './shared-world.ts';
export { createStopControls, type StopControls } from './stop-controls.ts';
export { beforeFile, databaseOfFile, worldOfFile } from './world-of-file.ts';
