import type { DisputeView } from '@plataforma/contracts';
import { lazy, Suspense } from 'react';
import { Card } from '../../components/card/card.tsx';
import { Details } from '../../components/details/details.tsx';
import { Notice, Skeleton } from '../../components/states/states.tsx';
import { Time } from '../../components/values/values.tsx';
import { useNow } from '../../shared/clock.ts';
import { useWords } from '../../shared/language.ts';
import { Deadline } from '../disputes/deadline.tsx';
import { disputesWords } from '../disputes/words.ts';
import { FileRow } from './file-row.tsx';
import styles from './files.module.css';

/** The form is loaded only for an open dispute, because its schema would make the page's script larger. */
const EvidenceForm = lazy(async () => ({ default: (await import('./evidence-form.tsx')).EvidenceForm }));

/**
 * Shows the form for the merchant's answer to a dispute. The answer can be sent only once, and is then shown
 * in place of the form.
 */
export function Evidence({ dispute }: { dispute: DisputeView }) {
  const words = useWords(disputesWords);
  const now = useNow();
  const endedAt = dispute.resolvedAt === null ? now : new Date(dispute.resolvedAt).getTime();
  const isEarly = endedAt < new Date(dispute.deadline).getTime();
  const isInTime = dispute.status === 'OPEN' && isEarly;
  return (
    <Card
      title={words.evidence}
      action={isInTime && <Deadline deadline={dispute.deadline} status={dispute.status} />}
    >
      {dispute.evidence && <Sent evidence={dispute.evidence} files={dispute.files} />}
      <Suspense fallback={<Skeleton lines={8} />}>
        {!dispute.evidence && isInTime && <EvidenceForm dispute={dispute} />}
      </Suspense>
      {!dispute.evidence && !isInTime && (
        <>
          <Notice tone="warn">{isEarly ? words.endedWithout : words.tooLate}</Notice>
          {dispute.files.length > 0 && <SentFiles files={dispute.files} />}
        </>
      )}
    </Card>
  );
}

interface SentProps {
  evidence: NonNullable<DisputeView['evidence']>;
  files: DisputeView['files'];
}

function Sent({ evidence: sent, files }: SentProps) {
  const words = useWords(disputesWords);
  const documents = sent.documents.map((address) => (
    <a key={address} href={address} target="_blank" rel="noreferrer">
      {address}
      <br />
    </a>
  ));
  return (
    <Details
      details={[
        { label: words.sentAt, value: <Time at={sent.sentAt} /> },
        { label: words.what, value: sent.description },
        { label: words.documents, value: documents.length > 0 ? documents : words.noDocuments },
        { label: words.files, value: files.length > 0 ? <SentFiles files={files} /> : words.noFiles },
      ]}
    />
  );
}

function SentFiles({ files }: Pick<SentProps, 'files'>) {
  return (
    <ul className={styles.list}>
      {files.map((file) => (
        <FileRow key={file.id} file={file} />
      ))}
    </ul>
  );
}
