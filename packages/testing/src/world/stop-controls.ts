import { api, type OperatorRole, type StopView } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import type { EmployedOperator, FakeGateway } from '../fakes/fake-gateway.ts';
import type { Answered, Caller } from './caller.ts';
import type { Identities } from './identities.ts';

interface Operator extends Pick<EmployedOperator, 'createdAt' | 'createdBy' | 'isSingle'> {
  role: OperatorRole;
  operatorId: string;
}

interface StopControlDependencies {
  send: Caller;
  operatorHeader: Identities['operatorHeader'];
  gateway: FakeGateway;
}

export interface StopControls {
  /** Gives a new operator access, in addition to the other operators. */
  hire(role?: OperatorRole): Operator;
  /** Gives access to these operators only. */
  keepOnly(...operators: Operator[]): void;
  ask(order: Record<string, unknown>, operator?: Operator): Promise<Answered>;
  stop(order: Record<string, unknown>): Promise<StopView>;
  start(id: string, operator: Operator): Promise<Answered>;
  /** Lifts the stop: two operators confirm that the orders start again. */
  startAgain(stop: StopView): Promise<void>;
  /** Returns the service's answer to a request of the gateway for its list of stops. */
  list(query: string, headers: Record<string, string>): Promise<Answered>;
}

/**
 * Creates operators that stop a service's orders, and start them again, through the same routes as the
 * gateway.
 */
export function createStopControls({ send, operatorHeader, gateway }: StopControlDependencies): StopControls {
  let staff: Operator[] = [];
  const employ = () =>
    gateway.employ(...staff.map(({ operatorId: id, ...operator }) => ({ id, ...operator })));
  function hire(role: OperatorRole = 'FINANCE'): Operator {
    const operator = { role, operatorId: newId() };
    staff = [...staff, operator];
    employ();
    return operator;
  }
  const post = (path: string, { operatorId, role }: Operator, body?: unknown) =>
    send(path, { method: 'POST', headers: operatorHeader({ operatorId, role }), ...(body ? { body } : {}) });
  const ask = (order: Record<string, unknown>, operator = hire()) =>
    post('/v1/admin/stops', operator, { reason: 'incidente', ...order });
  const start = (id: string, operator: Operator) => post(`/v1/admin/stops/${id}/start`, operator);

  return {
    hire,
    keepOnly(...operators) {
      staff = operators;
      employ();
    },
    ask,
    start,
    async stop(order) {
      const answer = await ask(order);
      if (answer.status !== 201) throw new Error(`nothing was stopped: ${JSON.stringify(answer)}`);
      return api.createStop.data.parse(answer.data);
    },
    async startAgain({ id }) {
      const statuses = [(await start(id, hire())).status, (await start(id, hire())).status];
      if (String(statuses) !== '202,200') throw new Error(`it was not started again: ${statuses}`);
    },
    list: (query, headers) => send(`/internal/stops?${query}`, { headers }),
  };
}
