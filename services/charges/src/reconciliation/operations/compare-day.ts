import type { Database } from '@plataforma/data';
import { type ClientFor, type Clock, type Environment, Refusal, startOfDay } from '@plataforma/kernel';
import type { BookedPayment, LedgerClient } from '@plataforma/ledger-client';
import type { AcquirerCharge } from '../../cards/acquirer-charges.ts';
import type { AcquirerClient } from '../../cards/acquirer-client.ts';
import type { PixReceiptWithReturns } from '../../domain/payment.ts';
import type { PixClient } from '../../pix/pix-client.ts';
import {
  addTo,
  type Compared,
  type Difference,
  differencesOf,
  noTotals,
  type Statement,
} from '../domain/reconciliation.ts';
import { findRecordedPayments, type RecordedPayment, type Selection } from '../store/recorded-payments.ts';

interface CompareDay {
  database: Database;
  ledger: LedgerClient;
  clients: {
    pix: Partial<Record<Environment, ClientFor<PixClient>>>;
    cards: Partial<Record<Environment, ClientFor<AcquirerClient>>>;
  };
  clock: Clock;
}

/**
 * A function that the comparison calls between its requests, which may be thousands. For example, the
 * function extends a lease. If it throws, the comparison ends.
 */
type Beat = () => Promise<void>;

interface Period {
  environment: Environment;
  from: Date;
  to: Date;
}

interface Comparison {
  period: Period;
  compared: Compared[];
  beat: Beat;
}

const DAY_MS = 86_400_000;
/**
 * The length of a piece. A day is compared in pieces, so that only the payments of one piece are in memory.
 */
const PIECE_MS = 3_600_000;

const MOST_DIFFERENCES = 1000;

/**
 * Compares the payments of a UTC day at the provider, in this service and in the ledger. The amounts are
 * those at the time of this call, not at the end of the day.
 */
export async function reconcileDay(
  dependencies: CompareDay,
  { date, environment }: { date: string; environment: Environment },
) {
  if (startOfDay(date, 'UTC') > dependencies.clock())
    throw new Refusal('invalid', 'VALIDATION_ERROR', 'date: must not be in the future');
  const differences: Difference[] = [];
  const result = { payments: 0, totals: noTotals(), differenceCount: 0, differences };
  for await (const compared of compareDay(dependencies, { date, environment })) {
    result.payments += compared.length;
    for (const payment of compared) {
      addTo(result.totals, payment);
      const found = differencesOf(payment);
      result.differenceCount += found.length;
      differences.push(...found.slice(0, MOST_DIFFERENCES - differences.length));
    }
  }
  return result;
}

/**
 * Yields the compared payments of a UTC day, piece by piece. A day that has not ended is compared up to now.
 */
export async function* compareDay(
  dependencies: CompareDay,
  { date, environment, beat = async () => {} }: { date: string; environment: Environment; beat?: Beat },
): AsyncIterable<Compared[]> {
  const begin = startOfDay(date, 'UTC').getTime();
  const end = Math.min(begin + DAY_MS, dependencies.clock().getTime());
  for (let from = begin; from < end; from += PIECE_MS) {
    const to = new Date(Math.min(from + PIECE_MS, end));
    yield compare(dependencies, { environment, from: new Date(from), to }, beat);
  }
}

async function compare(dependencies: CompareDay, period: Period, beat: Beat): Promise<Compared[]> {
  const { environment, from, to } = period;
  const recorded = await findRecordedPayments(dependencies.database, environment, { from, to });
  const comparison = { period, compared: recorded.map(asRecorded), beat };
  const pix = dependencies.clients.pix[environment]?.();
  if (pix) await addPix(dependencies, pix, comparison);
  const acquirer = dependencies.clients.cards[environment]?.();
  if (acquirer) await addCards(dependencies, acquirer, comparison);
  await addSide(dependencies, BOOKS, { ...comparison, listed: booked(dependencies.ledger, period) });
  return comparison.compared;
}

/** The provider or the ledger, and the key by which that side identifies a payment. */
interface Side {
  name: 'provider' | 'ledger';
  keyOf: (payment: Pick<Compared, 'providerReference' | 'unexpectedPaymentId' | 'chargeId'>) => string | null;
  named: (keys: string[]) => Selection;
}

const PROVIDER: Side = {
  name: 'provider',
  keyOf: ({ providerReference }) => providerReference,
  named: (providerReferences) => ({ providerReferences }),
};
const BOOKS: Side = {
  name: 'ledger',
  keyOf: ({ unexpectedPaymentId, chargeId }) => unexpectedPaymentId ?? chargeId,
  named: (ids) => ({ ids }),
};

/**
 * Adds to `compared` the payments that the provider or the ledger lists. Skips a payment that this service
 * recorded at a time outside `period`.
 */
async function addSide(
  { database }: CompareDay,
  { name, keyOf, named }: Side,
  { period, compared, beat, listed }: Comparison & { listed: AsyncIterable<Compared[]> },
): Promise<void> {
  const comparedByKey = new Map(compared.map((payment) => [keyOf(payment), payment]));
  for await (const page of listed) {
    await beat();
    const strange = page.flatMap((payment) =>
      comparedByKey.has(keyOf(payment)) ? [] : (keyOf(payment) ?? []),
    );
    const recorded =
      strange.length === 0 ? [] : await findRecordedPayments(database, period.environment, named(strange));
    const elsewhere = new Set(recorded.map(keyOf));
    for (const payment of page) {
      const here = comparedByKey.get(keyOf(payment));
      if (here) here[name] = payment[name];
      else if (!elsewhere.has(keyOf(payment))) compared.push(payment);
    }
  }
}

/**
 * Adds the Pix that the provider lists. A recorded payment that the list lacks is requested by the txid of
 * its charge, because providers list some payments days late.
 */
async function addPix(dependencies: CompareDay, pix: PixClient, comparison: Comparison): Promise<void> {
  await addSide(dependencies, PROVIDER, { ...comparison, listed: listedByPix(pix, comparison) });
  await askForMissing(comparison, 'PIX', async ({ txid, providerReference }) => {
    const charge = txid === null ? null : await pix.find(txid);
    const received = charge?.payments.find(({ endToEndId }) => endToEndId === providerReference);
    return received ? statementOfPix(received) : null;
  });
}

/**
 * Lists the Pix of a period. Leaves out a Pix at the exact end of the period, which some providers list,
 * because that Pix belongs to the next period.
 */
async function* listedByPix(pix: PixClient, { period, compared }: Comparison): AsyncIterable<Compared[]> {
  const comparedReferences = new Set(compared.map(({ providerReference }) => providerReference));
  for await (const page of pix.listPayments(period)) {
    const ours = page.filter(
      ({ endToEndId, paidAt }) =>
        comparedReferences.has(endToEndId) || (paidAt >= period.from && paidAt < period.to),
    );
    yield ours.map((payment) => atProvider('PIX', payment.endToEndId, statementOfPix(payment)));
  }
}

/**
 * Adds the card payments that the acquirer lists for the period. The acquirer lists charges by creation time,
 * so the list may lack payments near its edges. Each missing payment is requested individually.
 */
async function addCards(
  dependencies: CompareDay,
  acquirer: AcquirerClient,
  comparison: Comparison,
): Promise<void> {
  await addSide(dependencies, PROVIDER, {
    ...comparison,
    listed: listedByAcquirer(acquirer, comparison.period),
  });
  await askForMissing(comparison, 'CARD', async ({ providerReference }) => {
    const charge = providerReference === null ? null : await acquirer.inspect(providerReference);
    return charge?.isPaid ? statementOfCard(charge) : null;
  });
}

async function* listedByAcquirer(acquirer: AcquirerClient, period: Period): AsyncIterable<Compared[]> {
  for await (const page of acquirer.list(period)) {
    const paid = page.filter(({ isPaid }) => isPaid);
    yield paid.map((charge) => atProvider('CARD', charge.acquirerId, statementOfCard(charge)));
  }
}

async function* booked(ledger: LedgerClient, period: Period): AsyncIterable<Compared[]> {
  for await (const page of ledger.payments(period)) yield page.map(onlyBooked);
}

/**
 * Requests each recorded payment that the provider's list lacks. An unusable answer counts as no payment.
 * Otherwise a forged reference would stop the comparison of the day forever.
 */
async function askForMissing(
  { compared, beat }: Comparison,
  method: Compared['paymentMethod'],
  ask: (payment: Compared) => Promise<Statement | null>,
): Promise<void> {
  for (const payment of compared) {
    if (payment.paymentMethod !== method || payment.provider) continue;
    await beat();
    try {
      payment.provider = await ask(payment);
    } catch (error) {
      if (!(error instanceof Refusal && error.kind === 'provider_fault')) throw error;
    }
  }
}

const NOBODYS = {
  ...{ merchantId: null, chargeId: null, unexpectedPaymentId: null, providerReference: null, txid: null },
  ...{ provider: null, charges: null, ledger: null, undecided: 0 },
};

function asRecorded(recorded: RecordedPayment): Compared {
  const { received, returned, lost, ...about } = recorded;
  return { ...about, provider: null, charges: { received, returned, lost }, ledger: null };
}

function atProvider(
  paymentMethod: Compared['paymentMethod'],
  providerReference: string,
  provider: Statement,
): Compared {
  return { ...NOBODYS, paymentMethod, providerReference, provider };
}

function onlyBooked(payment: BookedPayment): Compared {
  const { kind, reference, merchantId, paymentMethod, received, returned, lost } = payment;
  const named =
    kind === 'charge_paid' ? { merchantId, chargeId: reference } : { unexpectedPaymentId: reference };
  return { ...NOBODYS, paymentMethod, ...named, ledger: { received, returned, lost } };
}

function statementOfPix({ amount, returned, takenBack }: PixReceiptWithReturns): Statement {
  return { received: amount, returned, lost: takenBack };
}

function statementOfCard({ amount, canceledAmount, chargeback }: AcquirerCharge): Statement {
  return { received: amount, returned: canceledAmount, lost: chargeback?.amount ?? 0 };
}
