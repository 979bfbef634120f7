import { writeFileSync } from 'node:fs';
import { vectorsFile } from './signature-vectors.ts';

writeFileSync(new URL('../../../../packages/sdk/vectors.json', import.meta.url), vectorsFile());
