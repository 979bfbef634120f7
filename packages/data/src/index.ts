export {
  arraysOf,
  columnsOf,
  fieldsOf,
  jsonLines,
  jsonRecords,
  namesOf,
  rowsFrom,
  valuesIn,
} from './columns.ts';
export { byMillisecond, type ComposedQuery, composeSql, oneOf, runComposed, selected } from './composed.ts';
export { readConnections } from './connection-gauges.ts';
export { countedByDays } from './counted-days.ts';
export { brokenCursor, cursorOf, type Position, positionOf } from './cursor.ts';
export { type Database, openDatabase, type Queryable, type Row, type Transaction } from './database.ts';
export { startDatabaseClock } from './database-clock.ts';
export {
  gotNoLock,
  isDatabaseAway,
  isDuplicate,
  isRowRefused,
  isTransientDatabaseError,
  lacksPartition,
} from './database-errors.ts';
export { createFairLine } from './fair-line.ts';
export { type Counters, foldCounters, readUnfolded, startFolding } from './folded-counters.ts';
export type { Sums } from './list-sums.ts';
export { type Migration, migrate, migrateOnStart } from './migrate.ts';
export { startNotifications } from './notifications.ts';
export { type Page, readPage, readRows, type Slice } from './paging.ts';
export { startPolling } from './polling.ts';
export { openReads, type Reads } from './reads.ts';
export type { RowSeals, SealableRow, SealedTable } from './row-seals.ts';
export { olderKeys, recordSealingKey } from './sealing-keys.ts';
export { escaped, narrowByOne, narrowToWords } from './searched-words.ts';
export {
  createSecretBox,
  type SealedSecret,
  type SealingKey,
  type SealingKeys,
  type SecretBox,
  sealingKeys,
} from './secret-box.ts';
export { batchSizes, mergedByNewest, readPages } from './whole-list.ts';
