import type { Database } from '@plataforma/data';
import { type ClientFor, type Clock, type Environment, Refusal, startOfDay } from '@plataforma/kernel';
import type { BookedPayment, LedgerClient } from '@plataforma/ledger-client';
import type { AcquirerCharge } from '../../cards/acquirer-charges.ts';
import type { AcquirerClient } from '../../cards/acquirer-client.ts';
import type { PixReceiptWithReturns } from '../../domain/payment.ts';
import type { ListedPixReceipt, PixClient } from '../../pix/pix-client.ts';
import {
  addTo,
  type Compared,
  type Difference,
  differencesOf,
  noTotals,
  type Statement,
} from '../domain/reconciliation.ts';
import { findRecordedPayments, type RecordedPayment } from '../store/recorded-payments.ts';

export interface CompareDay {
  database: Database;
  ledger: LedgerClient;
  /** Those that are configured. */
  clients: {
    pix: Partial<Record<Environment, ClientFor<PixClient>>>;
    cards: Partial<Record<Environment, ClientFor<AcquirerClient>>>;
  };
  clock: Clock;
}

/** Called between the questions of a comparison, which may be thousands; what it throws ends that. */
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
/** A day is compared piece by piece, so that no more than a piece of it is in memory. */
const PIECE_MS = 3_600_000;

/** A report has the first thousand differences. */
const MOST_DIFFERENCES = 1000;

/** Compares every payment of a UTC day at its provider, here and in the books, with what has become of it since. */
export async function reconcileDay(
  parts: CompareDay,
  { date, environment }: { date: string; environment: Environment },
) {
  if (startOfDay(date, 'UTC') > parts.clock())
    throw new Refusal('invalid', 'VALIDATION_ERROR', 'date: must not be in the future');
  const differences: Difference[] = [];
  const result = { payments: 0, totals: noTotals(), differenceCount: 0, differences };
  for await (const compared of compareDay(parts, { date, environment })) {
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

/** All payments of a UTC day, or of what has passed of it, piece by piece. */
export async function* compareDay(
  parts: CompareDay,
  { date, environment, beat = async () => {} }: { date: string; environment: Environment; beat?: Beat },
): AsyncIterable<Compared[]> {
  const begin = startOfDay(date, 'UTC').getTime();
  const end = Math.min(begin + DAY_MS, parts.clock().getTime());
  for (let from = begin; from < end; from += PIECE_MS) {
    const to = new Date(Math.min(from + PIECE_MS, end));
    yield compare(parts, { environment, from: new Date(from), to }, beat);
  }
}

async function compare(parts: CompareDay, period: Period, beat: Beat): Promise<Compared[]> {
  const { environment, from, to } = period;
  const recorded = await findRecordedPayments(parts.database, environment, { from, to });
  const compared = recorded.map(asRecorded);
  const pix = parts.clients.pix[environment]?.();
  if (pix) await addPix(parts, { pix, period, compared, beat });
  const acquirer = parts.clients.cards[environment]?.();
  if (acquirer) await addCards(parts, { acquirer, period, compared, beat });
  await addBooks(parts, { period, compared, beat });
  return compared;
}

/** Providers list some payments days late, so that those that are missing are asked for by their charges. */
async function addPix(
  parts: CompareDay,
  { pix, period, compared, beat }: { pix: PixClient } & Comparison,
): Promise<void> {
  const known = byReference(compared);
  for await (const page of pix.listPayments(period)) {
    await beat();
    const strange: ListedPixReceipt[] = [];
    for (const payment of page) {
      const here = known.get(payment.endToEndId);
      if (here) here.provider = statementOfPix(payment);
      // A provider may include the end of a period; the next piece reports such a payment.
      else if (payment.paidAt >= period.from && payment.paidAt < period.to) strange.push(payment);
    }
    const references = strange.map(({ endToEndId }) => endToEndId);
    const elsewhere = await recordedElsewhere(parts, period, references);
    for (const payment of strange) {
      if (elsewhere.has(payment.endToEndId)) continue;
      const provider = statementOfPix(payment);
      compared.push({ ...nobodys('PIX'), providerReference: payment.endToEndId, provider });
    }
  }
  await askForMissing(compared, 'PIX', async ({ txid, providerReference }) => {
    await beat();
    const charge = txid === null ? null : await pix.find(txid);
    const received = charge?.payments.find(({ endToEndId }) => endToEndId === providerReference);
    return received ? statementOfPix(received) : null;
  });
}

/** The acquirer counts a payment's time from another moment than we do: those of a piece's edge are asked for. */
async function addCards(
  parts: CompareDay,
  { acquirer, period, compared, beat }: { acquirer: AcquirerClient } & Comparison,
): Promise<void> {
  const known = byReference(compared);
  for await (const page of acquirer.list(period)) {
    await beat();
    const paid = page.filter(({ isPaid }) => isPaid);
    const strange = paid.filter(({ acquirerId }) => !known.has(acquirerId));
    const references = strange.map(({ acquirerId }) => acquirerId);
    const elsewhere = await recordedElsewhere(parts, period, references);
    for (const charge of paid) {
      const provider = statementOfCard(charge);
      const here = known.get(charge.acquirerId);
      if (here) here.provider = provider;
      else if (!elsewhere.has(charge.acquirerId))
        compared.push({ ...nobodys('CARD'), providerReference: charge.acquirerId, provider });
    }
  }
  await askForMissing(compared, 'CARD', async ({ providerReference }) => {
    await beat();
    const charge = providerReference === null ? null : await acquirer.inspect(providerReference);
    return charge?.isPaid ? statementOfCard(charge) : null;
  });
}

/** An answer of no use vouches for nothing: a reference that its writer made up must not keep a day open for ever. */
async function askForMissing(
  compared: readonly Compared[],
  method: Compared['paymentMethod'],
  ask: (payment: Compared) => Promise<Statement | null>,
): Promise<void> {
  for (const payment of compared) {
    if (payment.paymentMethod !== method || payment.provider) continue;
    try {
      payment.provider = await ask(payment);
    } catch (error) {
      if (!(error instanceof Refusal && error.kind === 'provider_fault')) throw error;
    }
  }
}

async function addBooks(parts: CompareDay, { period, compared, beat }: Comparison): Promise<void> {
  const known = new Map(
    compared.map((payment) => [payment.unexpectedPaymentId ?? payment.chargeId, payment]),
  );
  for await (const page of parts.ledger.payments(period)) {
    await beat();
    const strange = page.filter(({ reference }) => !known.has(reference));
    const ids = strange.map(({ reference }) => reference);
    const elsewhere = new Set(
      (await recordedAs(parts, period, { ids })).map((it) => it.unexpectedPaymentId ?? it.chargeId),
    );
    for (const payment of page) {
      const here = known.get(payment.reference);
      if (here) here.ledger = statementOf(payment);
      else if (!elsewhere.has(payment.reference)) compared.push(onlyBooked(payment));
    }
  }
}

async function recordedElsewhere(
  parts: CompareDay,
  period: Period,
  providerReferences: readonly string[],
): Promise<Set<string | null>> {
  const recorded = await recordedAs(parts, period, { providerReferences });
  return new Set(recorded.map(({ providerReference }) => providerReference));
}

async function recordedAs(
  { database }: CompareDay,
  { environment }: Period,
  named: { ids: readonly string[] } | { providerReferences: readonly string[] },
): Promise<RecordedPayment[]> {
  return Object.values(named).flat().length === 0 ? [] : findRecordedPayments(database, environment, named);
}

function byReference(compared: readonly Compared[]): Map<string | null, Compared> {
  return new Map(compared.map((payment) => [payment.providerReference, payment]));
}

function nobodys(paymentMethod: 'PIX' | 'CARD'): Compared {
  const unnamed = { merchantId: null, chargeId: null, unexpectedPaymentId: null, providerReference: null };
  return { paymentMethod, ...unnamed, txid: null, provider: null, charges: null, ledger: null, undecided: 0 };
}

function asRecorded(recorded: RecordedPayment): Compared {
  const { received, returned, lost, ...about } = recorded;
  return { ...about, provider: null, charges: statementOf({ received, returned, lost }), ledger: null };
}

function onlyBooked(payment: BookedPayment): Compared {
  const { kind, reference, merchantId, paymentMethod } = payment;
  const named =
    kind === 'charge_paid' ? { merchantId, chargeId: reference } : { unexpectedPaymentId: reference };
  return { ...nobodys(paymentMethod), ...named, ledger: statementOf(payment) };
}

function statementOf({ received, returned, lost }: Pick<BookedPayment, 'received' | 'returned' | 'lost'>) {
  return { RECEIVED: received, RETURNED: returned, LOST: lost };
}

function statementOfPix({ amount, returned, takenBack }: PixReceiptWithReturns) {
  return { RECEIVED: amount, RETURNED: returned, LOST: takenBack };
}

function statementOfCard({ amount, canceledAmount, chargeback }: AcquirerCharge) {
  return { RECEIVED: amount, RETURNED: canceledAmount, LOST: chargeback?.amount ?? 0 };
}
