import '../../shared/zod.ts';
import type { DisputeView } from '@plataforma/contracts';
import { evidence } from '@plataforma/contracts/evidence';
import { Button } from '../../parts/button/button.tsx';
import { Card } from '../../parts/card/card.tsx';
import { Details } from '../../parts/details/details.tsx';
import { TextArea } from '../../parts/field/field.tsx';
import { Form, FormActions, textIn } from '../../parts/form/form.tsx';
import { Notice } from '../../parts/states/states.tsx';
import { toast } from '../../parts/toast/toast.tsx';
import { Time } from '../../parts/values/values.tsx';
import { call } from '../../shared/api.ts';
import { useNow } from '../../shared/clock.ts';
import { useChange } from '../../shared/keyed.ts';
import { useWords } from '../../shared/language.ts';
import { disputesWords } from '../disputes/words.ts';

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
    <Card title={words.evidence}>
      {dispute.evidence && <Sent evidence={dispute.evidence} />}
      {!dispute.evidence && isInTime && <EvidenceForm id={dispute.id} />}
      {!dispute.evidence && !isInTime && (
        <Notice tone="warn">{isEarly ? words.endedWithout : words.tooLate}</Notice>
      )}
    </Card>
  );
}

function Sent({ evidence: sent }: { evidence: NonNullable<DisputeView['evidence']> }) {
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
      ]}
    />
  );
}

function EvidenceForm({ id }: { id: string }) {
  const words = useWords(disputesWords);
  const { mutate, error, isPending } = useChange({
    send: (body: ReturnType<typeof evidenceIn>, idempotencyKey) =>
      call('POST /v1/disputes/:id/evidence', { params: { id }, body, idempotencyKey }),
    changes: ['dispute', 'charge'],
    onDone: () => toast(words.sent),
  });
  return (
    <Form schema={evidence} read={evidenceIn} send={mutate} error={error}>
      <Notice>{`${words.evidenceText} ${words.reserved}`}</Notice>
      <TextArea label={words.what} name="description" hint={words.whatHint} maxLength={255} required />
      <TextArea label={words.documents} name="documents" hint={words.documentsHint} required={false} />
      <FormActions>
        <Button type="submit" kind="primary" busy={isPending}>
          {words.send}
        </Button>
      </FormActions>
    </Form>
  );
}
