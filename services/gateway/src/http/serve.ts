import type { Endpoint } from '@plataforma/contracts';
import { type Answer, type Call, type Router, serveTo } from '@plataforma/http';
import type { Session } from '../store/sessions.ts';
import type { OperatorClaims } from '../tokens.ts';
import type { Authenticate } from './authenticate.ts';

type Answers<E extends Endpoint, Principal> = (call: Call<E>, principal: Principal) => Promise<Answer<E>>;

/** Serves one of the gateway's own endpoints to operators that have one of the endpoint's roles. */
export function serveOperator<E extends Endpoint>(
  router: Router,
  endpoint: E,
  { authenticate }: { authenticate: Authenticate },
  answer: Answers<E, OperatorClaims>,
): void {
  serveTo(router, endpoint, { authenticate: (req) => authenticate.operator(req, endpoint), answer });
}

export function serveSession<E extends Endpoint>(
  router: Router,
  endpoint: E,
  { authenticate }: { authenticate: Authenticate },
  answer: Answers<E, Session>,
): void {
  serveTo(router, endpoint, { authenticate: authenticate.session, answer });
}
