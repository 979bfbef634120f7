import type { TimelineRecords } from '@plataforma/contracts';
import type { Router } from '@plataforma/http';
import { wordsOf } from '@plataforma/observe';
import { nothingOnRecord, serveTimeline } from '@plataforma/service';
import { messagesAbout } from '@plataforma/tables';
import type { WithdrawalsDependencies } from '../dependencies.ts';
import { approversOf } from '../domain/approval.ts';
import { isBooksMismatch } from '../domain/proof.ts';
import { methodOf, type Withdrawal } from '../domain/withdrawal.ts';
import { alarmsOf, type PayoutAlarm } from '../store/payout-alarms.ts';
import { findAnyWithdrawal } from '../store/withdrawals.ts';
import { reportedEnd } from './views.ts';

type Entry = TimelineRecords['entries'][number];

export function timelineRoutes(router: Router, { verifier, database }: WithdrawalsDependencies): void {
  serveTimeline(router, {
    verifier,
    proposals: database,
    read: async ([id = '']) => {
      const withdrawal = await findAnyWithdrawal(database, id);
      if (!withdrawal) return nothingOnRecord;
      const [alarms, messages] = await Promise.all([alarmsOf(database, id), messagesAbout(database, [id])]);
      return {
        ...nothingOnRecord,
        subject: subjectOf(withdrawal),
        now: currentStatusOf(withdrawal),
        entries: [...stepsOf(withdrawal), ...alarms.map(alarmEntry), ...messages],
      };
    },
  });
}

function subjectOf({ id, merchantId, environment, status }: Withdrawal): TimelineRecords['subject'] {
  return { kind: 'withdrawal', id, merchantId, environment, status };
}

/** Returns the current state. It is not an entry of the timeline, because it has no time. */
function currentStatusOf(withdrawal: Withdrawal): TimelineRecords['now'] {
  const { status, acceptedAt, unconfirmed, attempts, dueAt, payableFrom } = withdrawal;
  const isUnknown = status === 'PROCESSING' && methodOf(withdrawal) === 'PIX' && acceptedAt === null;
  return {
    ...{ status, approvedBy: approversOf(withdrawal), payableFrom },
    ...{ isUnknownAtProvider: isUnknown, doubtReason: unconfirmed?.reason ?? null },
    ...{ checks: attempts, nextCheckAt: dueAt },
  };
}

function stepsOf(withdrawal: Withdrawal): Entry[] {
  const { id: withdrawalId, createdAt, startedAt, acceptedAt, unconfirmed, endedAt } = withdrawal;
  const method = methodOf(withdrawal);
  const { amount, fee, netAmount, externalId, source, destinationId, approvalsNeeded } = withdrawal;
  const fields = { method, amount, fee, netAmount, source, destinationId, approvalsNeeded };
  const ordered = { withdrawalId, ...fields, externalId };
  const entries: Entry[] = [
    { at: createdAt, kind: 'state', what: 'the withdrawal was requested', detail: ordered },
  ];
  if (startedAt) {
    const what =
      method === 'PIX' ? 'the payout was ordered from the provider' : 'operators must send the TED';
    entries.push({ at: startedAt, kind: 'provider', what, detail: { netAmount } });
  }
  if (acceptedAt) {
    const what = 'the provider confirmed that it has the order';
    entries.push({
      at: acceptedAt,
      kind: 'provider',
      what,
      detail: { providerTxId: withdrawal.providerTxId },
    });
  }
  if (unconfirmed) {
    const { reason, since: at } = unconfirmed;
    entries.push({ at, kind: 'provider', what: 'the provider’s refusal is unconfirmed', detail: { reason } });
  }
  return endedAt ? [...entries, endOf(withdrawal, endedAt)] : entries;
}

function endOf(withdrawal: Withdrawal, at: Date): Entry {
  const { status, providerTxId, failureReason, failureDetail, rejectedReason } = withdrawal;
  const words = { failureDetail: wordsOf(failureDetail), rejectedReason: wordsOf(rejectedReason) };
  const detail = { providerTxId, failureReason, ...words };
  return { at, kind: 'state', what: `the withdrawal became ${status}`, detail };
}

function alarmEntry(alarm: PayoutAlarm): Entry {
  const { id: alarmId, recorded, kind, providerTxId, createdAt: at } = alarm;
  if (isBooksMismatch(kind)) {
    const what = 'the payout waits because the books do not account for its money';
    return { at, kind: 'alarm', what, detail: { alarmId, kind, amount: alarm.amount } };
  }
  const detail = { alarmId, recorded, reported: reportedEnd(kind), kind, providerTxId };
  return { at, kind: 'alarm', what: 'the provider reported an end that contradicts the record', detail };
}
