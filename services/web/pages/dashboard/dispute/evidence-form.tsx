import type { DisputeView } from '@plataforma/contracts';
import { evidence } from '@plataforma/contracts/evidence';
import { useState } from 'react';
import { Button } from '../../components/button/button.tsx';
import { classes } from '../../components/classes.ts';
import { Confirm } from '../../components/dialog/dialog.tsx';
import { TextArea } from '../../components/field/field.tsx';
import { Form, FormActions, named, textIn } from '../../components/form/form.tsx';
import layout from '../../components/layout.module.css';
import { Notice } from '../../components/states/states.tsx';
import { call } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { useChange } from '../changes/use-change.ts';
import { disputesWords } from '../disputes/words.ts';
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

export function EvidenceForm({ dispute }: { dispute: DisputeView }) {
  const words = useWords(disputesWords);
  const { id, files } = dispute;
  const uploads = useUploads(files.length);
  const isUploading = uploads.list.some(({ wrong }) => wrong === null);
  const [pendingEvidence, ask] = useState<ReturnType<typeof evidenceIn> | null>(null);
  const { mutate, error, isPending } = useChange({
    send: (body: ReturnType<typeof evidenceIn>, idempotencyKey) =>
      call('POST /v1/disputes/:id/evidence', { params: { id }, body, idempotencyKey }),
    changes: ['dispute', 'charge'],
    done: words.sent,
  });
  return (
    <Form schema={evidence} read={evidenceIn} change={{ mutate: ask, error: pendingEvidence ? null : error }}>
      <Notice>{`${words.evidenceText} ${words.reserved}`}</Notice>
      <TextArea label={words.what} name="description" hint={words.whatHint} maxLength={255} required />
      <TextArea {...named(words, 'documents')} required={false} />
      <Files dispute={dispute} uploads={uploads} />
      <FormActions>
        {isUploading && <p className={classes(layout.soft, styles.waiting)}>{words.waiting}</p>}
        <Button type="submit" kind="primary" busy={isPending || isUploading}>
          {words.send}
        </Button>
      </FormActions>
      {pendingEvidence && (
        <Confirm
          title={words.sendTitle}
          action={words.sendNow}
          {...{ error, busy: isPending }}
          onConfirm={() => mutate(pendingEvidence)}
          onClose={() => ask(null)}
        >
          {words.sendText}
        </Confirm>
      )}
    </Form>
  );
}
