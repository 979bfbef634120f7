import { resolve } from 'node:path';
import { packAll } from './pack.ts';

const out = resolve(process.argv[2] ?? '.local/packed');
await packAll(out);
console.error(`packed into ${out}`);
