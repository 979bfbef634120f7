export { describeOperatorLogs, newMerchantLetter } from './operator-logs.ts';
