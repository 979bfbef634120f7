import { qrCode } from '@plataforma/contracts/qr-code';
import type { AnswerTo } from '@plataforma/sdk/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button/button.tsx';
import { Details } from '../../components/details/details.tsx';
import { TextArea } from '../../components/field/field.tsx';
import { Form, FormActions, textIn } from '../../components/form/form.tsx';
import layout from '../../components/layout.module.css';
import { Notice } from '../../components/states/states.tsx';
import { call } from '../../shared/api.ts';
import { money } from '../../shared/format.ts';
import { useWords } from '../../shared/language.ts';
import { destinationWords } from '../destinations/words.ts';
import { Camera, hasCamera } from './camera.tsx';
import type { Payee } from './draft.ts';
import styles from './new-withdrawal.module.css';
import { newWithdrawalWords } from './words.ts';

type Decoded = AnswerTo<'POST /v1/withdrawals/decode-qr'>;

interface Props {
  onDone: (payee: Payee) => void;
}

/** A form for a pasted or scanned Pix code. It shows the code's payee before the next step. */
export function CodeForm({ onDone }: Props) {
  const words = useWords(newWithdrawalWords);
  const [code, setCode] = useState('');
  const [isScanning, setScanning] = useState(false);
  const change = useMutation({
    mutationFn: (body: { brCode: string }) => call('POST /v1/withdrawals/decode-qr', { body }),
  });
  if (change.data) return <Decoded decoded={change.data} onDone={onDone} />;

  function found(brCode: string): void {
    setScanning(false);
    setCode(brCode);
    change.mutate({ brCode });
  }

  return (
    <Form schema={qrCode} read={(form) => ({ brCode: textIn(form, 'brCode') })} change={change}>
      {isScanning && <Camera onFound={found} />}
      <TextArea
        label={words.code}
        name="brCode"
        hint={words.codeHint}
        value={code}
        spellCheck={false}
        onChange={(event) => setCode(event.target.value)}
      />
      <FormActions>
        {hasCamera() && (
          <Button onClick={() => setScanning(!isScanning)}>{isScanning ? words.stopScan : words.scan}</Button>
        )}
        <Button type="submit" kind="primary" busy={change.isPending}>
          {words.read}
        </Button>
      </FormActions>
    </Form>
  );
}

function Decoded({ decoded, onDone }: Props & { decoded: Decoded }) {
  const words = useWords(newWithdrawalWords);
  const { keyTypes } = useWords(destinationWords);
  const { pixKey, pixKeyType, amount, merchantName, merchantCity } = decoded;
  const payee: Payee = {
    to: { pixKey, pixKeyType },
    key: { pixKey, pixKeyType },
    source: 'QR_CODE',
    text: pixKey,
    name: `${merchantName}, ${merchantCity}`,
    cents: amount,
  };
  return (
    <div className={layout.stack}>
      <p className={styles.name}>{payee.name}</p>
      <p className={layout.soft}>{words.payeeNote}</p>
      <Details
        details={[
          { label: keyTypes[pixKeyType], value: pixKey },
          { label: words.amount, value: amount > 0 ? money(amount) : null },
        ]}
      />
      <Notice tone="warn">{words.noTxid}</Notice>
      <FormActions>
        <Button kind="primary" onClick={() => onDone(payee)} autoFocus>
          {words.whom.next}
        </Button>
      </FormActions>
    </div>
  );
}
