import { config } from 'zod/v4';

export * from 'zod/v4';

// This call must run before any schema is created. Otherwise zod tries `new Function`, and browsers report
// that as a violation of the pages' policy.
config({ jitless: true });
