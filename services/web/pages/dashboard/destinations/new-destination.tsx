import '../../shared/zod.ts';
import { newDestination } from '@plataforma/contracts/new-destination';
import { useState } from 'react';
import { Combobox } from '../../parts/combobox/combobox.tsx';
import { Dialog } from '../../parts/dialog/dialog.tsx';
import { DocumentField, Field, Select } from '../../parts/field/field.tsx';
import { Form, FormRow, textIn, textOrNothing } from '../../parts/form/form.tsx';
import { Segments } from '../../parts/tabs/tabs.tsx';
import { toast } from '../../parts/toast/toast.tsx';
import { call } from '../../shared/api.ts';
import { useChange } from '../../shared/keyed.ts';
import { useWords } from '../../shared/language.ts';
import { banks } from './banks.ts';
import { PixKeyFields, pixKeyIn } from './pix-key-fields.tsx';
import { destinationWords } from './words.ts';

type Kind = 'PIX' | 'BANK_ACCOUNT';

function destinationIn(data: FormData) {
  const label = textOrNothing(data, 'label');
  const named = label ? { label } : {};
  if (data.has('pixKey')) return { type: 'PIX' as const, ...pixKeyIn(data), ...named };
  return {
    type: 'BANK_ACCOUNT' as const,
    bankCode: textIn(data, 'bankCode'),
    branch: textIn(data, 'branch'),
    account: textIn(data, 'account'),
    accountType: textIn(data, 'accountType') === 'SAVINGS' ? ('SAVINGS' as const) : ('CHECKING' as const),
    holderName: textIn(data, 'holderName'),
    holderDocument: textIn(data, 'holderDocument'),
    ...named,
  };
}

export function NewDestination({ onClose }: { onClose: () => void }) {
  const words = useWords(destinationWords);
  const [kind, setKind] = useState<Kind>('PIX');
  const change = useChange({
    send: (body: ReturnType<typeof destinationIn>, idempotencyKey) =>
      call('POST /v1/destinations', { body, idempotencyKey }),
    changes: ['destination'],
    onDone: () => {
      toast(words.saved);
      onClose();
    },
  });
  return (
    <Dialog title={words.addTitle} onClose={onClose}>
      <Form
        schema={newDestination}
        read={destinationIn}
        change={change}
        action={words.save}
        onCancel={onClose}
      >
        <Segments<Kind>
          label={words.kind}
          value={kind}
          options={[
            { value: 'PIX', label: words.pixKey },
            { value: 'BANK_ACCOUNT', label: words.bankAccount },
          ]}
          onChange={setKind}
        />
        {kind === 'PIX' ? <PixKeyFields /> : <BankFields />}
        <Field label={words.label} name="label" hint={words.labelHint} maxLength={60} required={false} />
      </Form>
    </Dialog>
  );
}

function BankFields() {
  const words = useWords(destinationWords);
  return (
    <>
      <FormRow>
        <Combobox label={words.bank} name="bankCode" hint={words.bankCodeHint} options={banks} required />
        <Field label={words.branch} name="branch" autoComplete="off" required />
      </FormRow>
      <FormRow>
        <Field label={words.account} name="account" autoComplete="off" required />
        <Select
          label={words.accountType}
          name="accountType"
          options={[
            { value: 'CHECKING', label: words.accountTypes.CHECKING },
            { value: 'SAVINGS', label: words.accountTypes.SAVINGS },
          ]}
        />
      </FormRow>
      <Field label={words.holderName} name="holderName" autoComplete="off" maxLength={120} required />
      <DocumentField label={words.holderDocument} name="holderDocument" required />
    </>
  );
}
