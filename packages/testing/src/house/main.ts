import { resolve } from 'node:path';
import { measure } from './figures.ts';
import { faultsOf, looseLimitsOf, reportOf } from './report.ts';
import { readTree } from './sources.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const TABLE = 'packages/testing/src/house/limits.ts';

const house = measure(readTree(ROOT));
console.log(reportOf(house));
const loose = looseLimitsOf(house);
if (loose.length > 0) console.log(`\nBetter than its limit in ${TABLE}: ${loose.join('; ')}`);
const faults = faultsOf(house);
if (faults.length > 0) console.error(`\nOver its limit in ${TABLE}:\n${faults.join('\n')}`);
process.exitCode = faults.length > 0 ? 1 : 0;
