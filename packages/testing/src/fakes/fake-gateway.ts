import type { ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { OperatorRole } from '@plataforma/contracts';
import type { Announcement, MerchantSnapshot } from '@plataforma/events';
import { type Loopback, startLoopback } from './loopback.ts';

export interface FakeGateway extends Loopback {
  requestedIds: string[];
  /** Sets the fields in which a merchant differs from the default merchant. */
  describe(merchantId: string, traits: Partial<MerchantSnapshot>): void;
  /** Sets the operators that have access. No operator has access until the first call. */
  employ(...operators: EmployedOperator[]): void;
  /** The decisions that services have asked the gateway to count. */
  decisions: unknown[];
  /** Sets whether the daily limits allow an operator to decide alone. The default is true. */
  allowAlone(isAllowed: boolean): void;
}

/** An operator as `GET /internal/operators` shows it. A gateway of release 0.6.0 shows only id and role. */
export interface EmployedOperator {
  id: string;
  role: OperatorRole;
  createdAt?: string;
  createdBy?: string | null;
  isSingle?: boolean;
}

const ordinary = {
  version: 1,
  name: 'Loja da Maria',
  cnpj: '34665388000161',
  phone: '11987654321',
  status: 'APPROVED',
  checkoutColor: '#0a7f5a',
  pixFeeBps: 99,
  pixFeeFixed: 10,
  cardFeeBps: 399,
  cardFeeFixed: 0,
  cardEnabled: false,
  maxInstallments: 12,
  settlementDays: 30,
  settlementCalendar: 'calendar',
  withdrawalFee: 0,
  withdrawalFeeMode: 'AMOUNT',
  autoApproveLimit: 0,
  dailyWithdrawalLimit: null,
  destinationCooldownHours: 0,
  newPayeesPerDay: null,
  sandboxAheadMs: 0,
} as const satisfies Partial<MerchantSnapshot>;

export function merchantUpdated(id: string, traits: Partial<MerchantSnapshot>): Announcement {
  const data: MerchantSnapshot = { id, ...ordinary, ...traits };
  return {
    type: 'merchant.updated',
    ...{ merchantId: id, environment: null, aggregateId: id, sequence: data.version },
    data,
  };
}

/**
 * Returns the event with which the gateway announces a merchant's sandbox clock. The ledger applies this
 * event.
 */
export function clockMoved(
  id: string,
  { sandboxAheadMs, version }: Pick<MerchantSnapshot, 'sandboxAheadMs' | 'version'>,
): Announcement {
  return {
    type: 'merchant.clock_moved',
    ...{ merchantId: id, environment: null, aggregateId: id, sequence: version },
    data: { id, sandboxAheadMs },
  };
}

/**
 * Starts a fake gateway with the routes that other services call: GET /internal/merchants/{id}, GET
 * /internal/operators and POST /internal/operator-sums.
 */
export async function startFakeGateway(): Promise<FakeGateway> {
  const requestedIds: string[] = [];
  const decisions: unknown[] = [];
  let allowsAlone = true;
  let employed: EmployedOperator[] = [];
  const described = new Map<string, Partial<MerchantSnapshot>>();
  const server = await startLoopback(async (request, response) => {
    if (request.url === '/internal/operators') return answer(response, employed);
    if (request.url === '/internal/operator-sums') {
      decisions.push(await json(request));
      return answer(response, { isCounted: allowsAlone });
    }
    const id = /^\/internal\/merchants\/([\w-]+)$/.exec(request.url ?? '')?.[1] ?? '';
    requestedIds.push(id);
    const data: MerchantSnapshot = { id, ...ordinary, ...described.get(id) };
    answer(response, data);
  });
  return {
    ...server,
    requestedIds,
    decisions,
    allowAlone(isAllowed) {
      allowsAlone = isAllowed;
    },
    describe: (id, traits) => void described.set(id, traits),
    employ(...operators) {
      employed = operators;
    },
  };
}

function answer(response: ServerResponse, data: unknown): void {
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ success: true, data }));
}
