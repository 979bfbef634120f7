export { describeAccess } from './access.ts';
export { describeOperatorLogs, newMerchantLetter } from './operator-logs.ts';
