export { describeAccess } from './access.ts';
export { describeFile, fileReaderOf } from './files.ts';
export { describeOperatorLogs, newMerchantLetter } from './operator-logs.ts';
