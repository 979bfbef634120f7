import { newDestination } from '@plataforma/contracts/new-destination';
import { useState } from 'react';
import { Combobox } from '../../components/combobox/combobox.tsx';
import { DocumentField, Field, Select } from '../../components/field/field.tsx';
import { FormRow, filledIn, named, textIn, textsIn } from '../../components/form/form.tsx';
import { Segments } from '../../components/tabs/tabs.tsx';
import { call } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { FormDialog } from '../changes/form-dialog.tsx';
import { optionsOf } from '../options.ts';
import { banks } from './banks.ts';
import { PixKeyFields, pixKeyIn } from './pix-key-fields.tsx';
import { destinationWords } from './words.ts';

type Kind = 'PIX' | 'BANK_ACCOUNT';

function destinationIn(data: FormData) {
  const label = filledIn(data, 'label');
  if (data.has('pixKey')) return { type: 'PIX' as const, ...pixKeyIn(data), ...label };
  return {
    type: 'BANK_ACCOUNT' as const,
    ...textsIn(data, 'bankCode', 'branch', 'account', 'holderName', 'holderDocument'),
    accountType: textIn(data, 'accountType') === 'SAVINGS' ? ('SAVINGS' as const) : ('CHECKING' as const),
    ...label,
  };
}

export function NewDestination({ onClose }: { onClose: () => void }) {
  const words = useWords(destinationWords);
  const [kind, setKind] = useState<Kind>('PIX');
  return (
    <FormDialog
      title={words.addTitle}
      schema={newDestination}
      read={destinationIn}
      send={(body, idempotencyKey) => call('POST /v1/destinations', { body, idempotencyKey })}
      changes={['destination']}
      action={words.saveDestination}
      done={words.saved}
      onClose={onClose}
    >
      <Segments<Kind>
        label={words.kind}
        value={kind}
        options={optionsOf({ PIX: words.pixKey, BANK_ACCOUNT: words.bankAccount })}
        onChange={setKind}
      />
      {kind === 'PIX' ? <PixKeyFields /> : <BankFields />}
      <Field {...named(words, 'label')} maxLength={60} required={false} />
    </FormDialog>
  );
}

function BankFields() {
  const words = useWords(destinationWords);
  return (
    <>
      <FormRow>
        <Combobox label={words.bank} name="bankCode" hint={words.bankCodeHint} options={banks} required />
        <Field {...named(words, 'branch')} autoComplete="off" required />
      </FormRow>
      <FormRow>
        <Field {...named(words, 'account')} autoComplete="off" required />
        <Select {...named(words, 'accountType')} options={optionsOf(words.accountTypes)} />
      </FormRow>
      <Field {...named(words, 'holderName')} autoComplete="off" maxLength={120} required />
      <DocumentField {...named(words, 'holderDocument')} required />
    </>
  );
}
