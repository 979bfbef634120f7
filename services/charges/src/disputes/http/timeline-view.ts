import type { TimelineRecords } from '@plataforma/contracts';
import { wordsOf } from '@plataforma/observe';
import type { DisputeRecord } from '../store/dispute-records.ts';

type Entry = TimelineRecords['entries'][number];

export function disputeEntriesOf(dispute: DisputeRecord): Entry[] {
  const { id: disputeId, amount, deadline, providerReference, evidence, resolvedAt, status } = dispute;
  const [reason, description] = [wordsOf(dispute.reason), wordsOf(dispute.description)];
  const opened = { disputeId, amount, reason, description, deadline, providerReference };
  const entries: Entry[] = [
    { at: dispute.createdAt, kind: 'dispute', what: 'a dispute was opened', detail: opened },
  ];
  if (evidence) {
    const { isForwarded, attempts, fileCount: files } = dispute;
    const detail = { disputeId, documents: evidence.documents.length, files, isForwarded, attempts };
    entries.push({ at: evidence.sentAt, kind: 'dispute', what: 'evidence was sent', detail });
  }
  if (resolvedAt) {
    const detail = { disputeId, status, resolution: wordsOf(dispute.resolution) };
    entries.push({ at: resolvedAt, kind: 'dispute', what: 'the dispute ended', detail });
  }
  return entries;
}
