import type { MerchantSnapshot } from '@plataforma/events';
import { type Loopback, startLoopback } from './loopback.ts';

export interface FakeGateway extends Loopback {
  /** Merchants it was asked for, in order. */
  asked: string[];
  /** What makes a merchant different from the others. */
  describe(merchantId: string, traits: Partial<MerchantSnapshot>): void;
}

const ordinary = {
  version: 1,
  name: 'Loja da Maria',
  status: 'APPROVED',
  checkoutColor: '#0a7f5a',
  pixFeeBps: 99,
  pixFeeFixed: 10,
  cardFeeBps: 399,
  cardFeeFixed: 0,
  cardEnabled: false,
  maxInstallments: 12,
  settlementDays: 30,
  withdrawalFee: 0,
  withdrawalFeeMode: 'AMOUNT',
  autoApproveLimit: 0,
  dailyWithdrawalLimit: null,
  destinationCooldownHours: 0,
} as const satisfies Partial<MerchantSnapshot>;

/** The gateway's own side, as far as charges asks it: GET /internal/merchants/{id}. */
export async function startFakeGateway(): Promise<FakeGateway> {
  const asked: string[] = [];
  const described = new Map<string, Partial<MerchantSnapshot>>();
  const server = await startLoopback(async (request, response) => {
    const id = /^\/internal\/merchants\/([\w-]+)$/.exec(request.url ?? '')?.[1] ?? '';
    asked.push(id);
    const data: MerchantSnapshot = { id, ...ordinary, ...described.get(id) };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ success: true, data }));
  });
  return { ...server, asked, describe: (id, traits) => void described.set(id, traits) };
}
