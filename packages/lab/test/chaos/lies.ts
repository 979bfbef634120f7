import type { Truth } from '@plataforma/testing';
import { z } from 'zod';
import type { Evidence } from '../../src/chaos/check/evidence.ts';
import type { Call } from '../../src/chaos/history.ts';
import type { Lie } from './support/lies.ts';

/** A false change in the evidence from the bank, the shops or the clients, which the checks must find. */
interface MemoryLie extends Lie {
  title: string;
  doctor(evidence: Evidence): Evidence;
}

type Which = (call: Call) => boolean;
type Webhook = Evidence['received'][number];

function lie(invariant: number, finds: RegExp | RegExp[], doctor: MemoryLie['doctor']): MemoryLie {
  const all = [finds].flat();
  return { title: String(all[0]), invariants: [invariant], finds: all, doctor };
}

const atBank = (invariant: number, finds: RegExp | RegExp[], change: (truth: Truth) => Partial<Truth>) =>
  lie(invariant, finds, (evidence) => ({
    ...evidence,
    truth: { ...evidence.truth, ...change(evidence.truth) },
  }));

const atShops = (finds: RegExp, change: (received: readonly Webhook[]) => Webhook[], invariant = 7) =>
  lie(invariant, finds, (evidence) => ({ ...evidence, received: change(evidence.received) }));

const atClients = (invariant: number, finds: RegExp, change: (calls: readonly Call[]) => Call[]) =>
  lie(invariant, finds, (evidence) => ({ ...evidence, calls: change(evidence.calls) }));

const changed = <T>(all: readonly T[], change: (one: T) => Partial<T>) =>
  all.map((one) => ({ ...one, ...change(one) }));
const firstAs = <T>([one, ...others]: readonly T[], changes: Partial<T>) =>
  one ? [{ ...one, ...changes }, ...others] : [];
/** Adds a copy of the first item that matches, with some changes. */
const again = <T>(
  all: readonly T[],
  which: (one: T) => boolean,
  change: (one: T) => Partial<T> = () => ({}),
) => {
  const found = all.find(which);
  return found ? [...all, { ...found, ...change(found) }] : [...all];
};
const any = () => true;

const answerOf = (data: Record<string, unknown>) => ({ answer: { success: true, data } });
const refused = (status: number, code: string) => ({ status, answer: { success: false, error: { code } } });
const isPost =
  (path: RegExp): Which =>
  (call) =>
    call.method === 'POST' && path.test(call.path);
const isOrder = isPost(/^\/v1\/charges$/);
const isListOfWebhooks: Which = ({ method, path }) => method === 'GET' && path === '/v1/webhook-config';
const isKeyedWithdrawal: Which = ({ path, body, idempotencyKey }) =>
  path === '/v1/withdrawals' && body?.amount === 20_000 && idempotencyKey !== null;
const idIn = ({ answer }: Call) => z.object({ data: z.object({ id: z.string() }) }).parse(answer).data.id;
const callback = (secret: string) => ({ path: `/callbacks/pix/${secret}`, at: 0, status: 200 });

const nobodyContests = (what: string) => new RegExp(`^dispute .* is of ${what}:.*, which nobody contests`);

const ofBank = [
  atBank(2, /^payment E2 of \d+ is not recorded/, ({ payments }) => ({
    payments: again(payments, any, () => ({ endToEndId: 'E2' })),
  })),
  atBank(2, /^payment .* came for x+, and is recorded for another/, ({ payments }) => ({
    payments: changed(payments, ({ txid }) => (txid ? { txid: 'x'.repeat(30) } : {})),
  })),
  atBank(2, /^the card of charge .* was charged 2 times/, ({ cardCharges }) => ({
    cardCharges: again(cardCharges, any),
  })),
  atBank(2, /^charge .* is paid, and its card was never charged/, ({ cardCharges }) => ({
    cardCharges: cardCharges.filter(({ chargeback }) => chargeback !== null),
  })),
  atBank(2, /^charge .* of 9900 in sandbox is .*"amount":9901/, ({ cardCharges }) => ({
    cardCharges: changed(cardCharges, ({ amount }) => ({ amount: amount + 1 })),
  })),
  atBank(3, /^withdrawal .* is COMPLETED, and paid 2 times/, ({ payouts }) => ({
    payouts: again(payouts, ({ status }) => status === 'REALIZADO'),
  })),
  atBank(3, /^payout another at the bank is of no withdrawal/, ({ payouts }) => ({
    payouts: again(payouts, any, () => ({ idEnvio: 'another' })),
  })),
  atBank(3, /^withdrawal .* is COMPLETED, a PIX, and the bank has paid/, ({ payouts }) => ({
    payouts: changed(payouts, ({ valor }) => ({ valor: valor + 1 })),
  })),
  atBank(4, /was returned 2 times/, ({ refunds }) => ({ refunds: again(refunds, any) })),
  atBank(4, /^the bank has returned \d+ of .*, which nobody ordered/, ({ refunds }) => ({
    refunds: again(refunds, any, () => ({ id: 'another' })),
  })),
  atBank(4, /was returned, and the bank has not sent it/, ({ refunds }) => ({
    refunds: refunds.filter(({ status }) => status === 'NAO_REALIZADO'),
  })),
  atBank(4, /^payment .* is kept as one the bank refuses to return, and the bank has not/, ({ refunds }) => ({
    refunds: refunds.filter(({ status }) => status !== 'NAO_REALIZADO'),
  })),
  atBank(4, /^infraction another of E\w+ has opened no dispute/, ({ infractions, payments }) => {
    const contested = new Set(infractions.map(({ endToEndId }) => endToEndId));
    const other = payments.find(({ endToEndId, valor }) => valor === 500_000 && !contested.has(endToEndId));
    return {
      infractions: again(infractions, any, () => ({ ...other, idInfracao: 'another', defesa: null })),
    };
  }),
  atBank(4, [nobodyContests('infraction:sandbox'), nobodyContests('chargeback')], ({ cardCharges }) => ({
    infractions: [],
    cardCharges: changed(cardCharges, () => ({ chargeback: null })),
  })),
  atBank(4, /^dispute .* is of infraction:.*, which contests something/, ({ infractions, cardCharges }) => {
    const [one, other, ...rest] = cardCharges;
    const swapped = one && other && [{ ...one, id: other.id }, { ...other, id: one.id }, ...rest];
    return {
      infractions: changed(infractions, () => ({ endToEndId: 'E3' })),
      ...(swapped && { cardCharges: swapped }),
    };
  }),
  atBank(9, /^what was said of infraction .* is not at the bank/, ({ infractions }) => ({
    infractions: changed(infractions, () => ({ defesa: null })),
  })),
  atBank(9, /^what was said of infraction .* is something else at the bank/, ({ infractions }) => ({
    infractions: changed(infractions, () => ({
      defesa: { descricao: 'nada', documentos: [], arquivos: [] },
    })),
  })),
  atBank(9, /^what was said of infraction .* is something else at the bank/, ({ infractions }) => ({
    infractions: changed(infractions, ({ defesa }) => ({ defesa: defesa && { ...defesa, arquivos: [] } })),
  })),
];

const ofShops = [
  atShops(/^delivery .* came with other bytes than its event/, (all) =>
    firstAs(all, { body: Buffer.from('{}') }),
  ),
  atShops(/^delivery .* came without a signature of its configuration/, (all) =>
    firstAs(all, { signature: null }),
  ),
  atShops(/Standard Webhooks/, (all) => firstAs(all, { isSigned: false })),
  atShops(/^delivery .* came again \d{5} ms after its success/, (all) =>
    again(all, any, ({ at }) => ({ at: at + 90_000 })),
  ),
  atShops(/^delivery .* came again after 1500 ms instead of/, (all) => {
    const failed = all.find(({ status }) => status === 500);
    const isSecond = ({ id, status }: Webhook) => id === failed?.id && status === 200;
    return changed(all, (one) => (failed && isSecond(one) ? { at: failed.at + 1_500 } : {}));
  }),
  atShops(
    /^delivery .* is for .*, and came to/,
    (all) => firstAs(all, { configurationPath: '/hooks/3' }),
    10,
  ),
  atShops(/^delivery .* came to .followed/, (all) => firstAs(all, { configurationPath: '/followed' }), 10),
  atShops(/^delivery .* is a success that no shop knows of/, () => []),
  atShops(/came 11 times, of 1 attempts/, (all) => [...all, ...Array(10).fill(all[0])]),
  lie(10, /and came to \/hooks\/9/, (evidence) => ({
    ...evidence,
    calls: again(evidence.calls, isPost(/^\/v1\/webhook-config$/), (call) => ({
      method: 'PATCH',
      path: `/v1/webhook-config/${idIn(call)}`,
      body: { url: call.body?.url },
    })),
    received: firstAs(evidence.received, { configurationPath: '/hooks/9' }),
  })),
];

const ofClients = [
  atClients(5, /there are 1, and ordered were 0/, (calls) =>
    calls.filter(({ path }) => path !== '/v1/admin/ledger/adjustments'),
  ),
  atClients(9, /^call .* was answered 20\d, and of charges none is not there/, (calls) =>
    again(calls, isOrder, () => ({ intent: 'another', idempotencyKey: null, ...answerOf({ id: 'none' }) })),
  ),
  atClients(9, /^call .* was answered 20\d, and of charges .* is \[/, (calls) =>
    again(calls, isOrder, ({ body }) => ({
      intent: 'another',
      idempotencyKey: null,
      body: { ...body, amount: Number(body?.amount) + 1 },
    })),
  ),
  atClients(9, /^call .* was answered 20\d: use-ended-key/, (calls) =>
    again(calls, isOrder, () => ({ action: 'use-ended-key', method: 'GET' })),
  ),
  atClients(10, /^call .* was answered 20\d: read-anothers/, (calls) =>
    again(calls, isOrder, () => ({ action: 'read-anothers', method: 'GET' })),
  ),
  atClients(5, /was answered 422, and .* 201/, (calls) =>
    again(calls, isKeyedWithdrawal, () => refused(422, 'INSUFFICIENT_BALANCE')),
  ),
  atClients(5, /was answered 404, and .* 201/, (calls) =>
    again(calls, isKeyedWithdrawal, ({ endedAt }) => ({
      ...refused(404, 'NOT_FOUND'),
      startedAt: endedAt + 60_000,
    })),
  ),
  atClients(5, /was refused with INSUFFICIENT_BALANCE, and there is withdrawals/, (calls) =>
    changed(calls, (call) => (isKeyedWithdrawal(call) ? refused(422, 'INSUFFICIENT_BALANCE') : {})),
  ),
  atClients(5, /externalId to maria@loja.test of 20000: there are 1, and ordered were 0/, (calls) =>
    changed(calls, (call) =>
      isKeyedWithdrawal(call) ? { body: { ...call.body, pixKey: 'ana@loja.test' } } : {},
    ),
  ),
  atClients(5, /a key of /, (calls) =>
    calls.filter((call) => !isPost(/^\/v1\/api-keys\/[^/]+\/rotate$/)(call)),
  ),
  atClients(5, /a test of the webhook .*: there are 1, and ordered were 0/, (calls) =>
    calls.filter((call) => !isPost(/^\/v1\/webhook-config\/[^/]+\/test$/)(call)),
  ),
  atClients(10, /showed merchant 1 .* which is of .* production/, (calls) =>
    again(calls, isListOfWebhooks, () => ({ actor: 'merchant 1' })),
  ),
  atClients(10, /showed merchant 2 .* which is of .* production/, (calls) =>
    again(calls, isListOfWebhooks, () => ({ environment: 'sandbox' })),
  ),
  atClients(9, /GET \/v1\/charges.* of charges/, (calls) => {
    const isCharge: Which = ({ method, path }) =>
      method === 'GET' && /^\/v1\/charges\/[0-9a-f-]{36}$/.test(path);
    return again(calls, isCharge, ({ path }) => answerOf({ id: path.split('/')[3], status: 'CANCELLED' }));
  }),
];

export const memoryLies: readonly MemoryLie[] = [
  ...ofBank,
  ...ofShops,
  ...ofClients,
  lie(10, /^a callback with a wrong secret, to .callbacks.pix.guessed, was answered 200/, (evidence) => {
    const { path } = callback('known');
    const answers = [callback('known'), callback('guessed')];
    return { ...evidence, letters: [{ path, body: '', how: 'forged', receivedAt: 0, answers }] };
  }),
];

/** False records according to which the bank has not finished its work. */
export const unfinishedAtBank: readonly MemoryLie[] = [
  atBank(4, /^the bank still returns E\w+/, ({ refunds }) => ({
    refunds: changed(refunds, () => ({ status: 'EM_PROCESSAMENTO' })),
  })),
  atBank(3, /^the bank still pays/, ({ payouts }) => ({
    payouts: changed(payouts, () => ({ status: 'EM_PROCESSAMENTO' })),
  })),
  atBank(2, /^the acquirer still decides on/, ({ cardCharges }) => ({
    cardCharges: changed(cardCharges, () => ({ status: 'processing' })),
  })),
];
