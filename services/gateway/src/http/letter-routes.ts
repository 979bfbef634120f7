import { deadLetters } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import type { Router } from '@plataforma/http';
import { deadLetterRoutes, type Inspector } from '@plataforma/messaging';
import type { Log } from '@plataforma/observe';
import type { Apply } from '@plataforma/tables';
import type { Authenticate } from './authenticate.ts';

export interface LetterParts {
  database: Database;
  log: Log;
  authenticate: Authenticate;
  apply: Apply;
  inspector: Inspector;
}

/** The gateway's own dead letters: anchors that it could not keep. */
export function letterRoutes(router: Router, { authenticate, ...parts }: LetterParts): void {
  deadLetterRoutes(router, {
    ...parts,
    endpoints: deadLetters.gateway,
    operatorOf: async (req, endpoint) => {
      const { sub: operatorId } = await authenticate.operator(req, endpoint);
      return { operatorId };
    },
  });
}
