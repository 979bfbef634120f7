import { config } from 'zod';

// Imported before any contract: zod otherwise tries `new Function` once, which the policy of the pages reports.
config({ jitless: true });
