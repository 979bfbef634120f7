import '../../shared/zod.ts';
import type { DisputeView } from '@plataforma/contracts';
import { evidence } from '@plataforma/contracts/evidence';
import { useState } from 'react';
import { Button } from '../../parts/button/button.tsx';
import { Card } from '../../parts/card/card.tsx';
import { Details } from '../../parts/details/details.tsx';
import { Confirm } from '../../parts/dialog/dialog.tsx';
import { TextArea } from '../../parts/field/field.tsx';
import { Form, FormActions, textIn } from '../../parts/form/form.tsx';
import { Notice } from '../../parts/states/states.tsx';
import { toast } from '../../parts/toast/toast.tsx';
import { Time } from '../../parts/values/values.tsx';
import { call } from '../../shared/api.ts';
import { useNow } from '../../shared/clock.ts';
import { useChange } from '../../shared/keyed.ts';
import { useWords } from '../../shared/language.ts';
import { Deadline } from '../disputes/deadline.tsx';
import { disputesWords } from '../disputes/words.ts';
import { FileRow } from './file-row.tsx';
import styles from './files.module.css';
import { Files } from './files.tsx';
import { useUploads } from './use-uploads.ts';

function evidenceIn(data: FormData) {
  const lines = textIn(data, 'documents').split('\n');
  return {
    description: textIn(data, 'description'),
    documents: lines.map((line) => line.trim()).filter(Boolean),
  };
}

/** What the merchant answers, once; afterwards what was answered. */
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
      {!dispute.evidence && isInTime && <EvidenceForm dispute={dispute} />}
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

function EvidenceForm({ dispute }: { dispute: DisputeView }) {
  const words = useWords(disputesWords);
  const { id, files } = dispute;
  const uploads = useUploads(files.length);
  const isUploading = uploads.list.some(({ wrong }) => wrong === null);
  const [asked, ask] = useState<ReturnType<typeof evidenceIn> | null>(null);
  const { mutate, error, isPending } = useChange({
    send: (body: ReturnType<typeof evidenceIn>, idempotencyKey) =>
      call('POST /v1/disputes/:id/evidence', { params: { id }, body, idempotencyKey }),
    changes: ['dispute', 'charge'],
    onDone: () => toast(words.sent),
  });
  return (
    <Form schema={evidence} read={evidenceIn} send={ask} error={asked ? null : error}>
      <Notice>{`${words.evidenceText} ${words.reserved}`}</Notice>
      <TextArea label={words.what} name="description" hint={words.whatHint} maxLength={255} required />
      <TextArea label={words.documents} name="documents" hint={words.documentsHint} required={false} />
      <Files dispute={dispute} uploads={uploads} />
      <FormActions>
        {isUploading && <p className={styles.waiting}>{words.waiting}</p>}
        <Button type="submit" kind="primary" busy={isPending || isUploading}>
          {words.send}
        </Button>
      </FormActions>
      {asked && (
        <Confirm
          title={words.sendTitle}
          action={words.sendNow}
          {...{ error, busy: isPending }}
          onConfirm={() => mutate(asked)}
          onClose={() => ask(null)}
        >
          {words.sendText}
        </Confirm>
      )}
    </Form>
  );
}
