import type { DestinationView } from '@plataforma/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { buttonClass } from '../../components/button/button.tsx';
import { Radio } from '../../components/field/choices.tsx';
import { Form } from '../../components/form/form.tsx';
import layout from '../../components/layout.module.css';
import { Empty } from '../../components/states/states.tsx';
import { Segments } from '../../components/tabs/tabs.tsx';
import { useWords } from '../../shared/language.ts';
import { useDestinationText } from '../destinations/destination-text.ts';
import { PixKeyFields, pixKeyIn, typedKey } from '../destinations/pix-key-fields.tsx';
import { destinationsQuery } from '../destinations/queries.ts';
import { optionsOf } from '../options.ts';
import { Read } from '../read.tsx';
import type { Payee } from './draft.ts';
import styles from './new-withdrawal.module.css';
import { isWrongKey, ownerQuery } from './owner.tsx';
import { newWithdrawalWords } from './words.ts';

/**
 * The form is loaded only for a Pix code, because its schema and camera would make the page's script larger.
 */
const CodeForm = lazy(async () => ({ default: (await import('./code-form.tsx')).CodeForm }));

type Way = 'saved' | 'key' | 'code';

interface Props {
  onDone: (payee: Payee) => void;
}

export function PayeeStep({ onDone }: Props) {
  const words = useWords(newWithdrawalWords);
  const [way, setWay] = useState<Way>('saved');
  return (
    <div className={layout.stack}>
      <Segments<Way> label={words.how} value={way} options={optionsOf(words.ways)} onChange={setWay} />
      {way === 'saved' && <SavedForm onDone={onDone} />}
      {way === 'key' && <KeyForm onDone={onDone} />}
      <Suspense>{way === 'code' && <CodeForm onDone={onDone} />}</Suspense>
    </div>
  );
}

function SavedForm({ onDone }: Props) {
  const words = useWords(newWithdrawalWords);
  const toText = useDestinationText();
  const read = useQuery(destinationsQuery());
  const [chosen, setChosen] = useState<string>();
  return (
    <Read of={read} lines={4}>
      {({ data }) => {
        const action = (
          <Link to="/destinations" className={buttonClass()}>
            {words.addOne}
          </Link>
        );
        const [first] = data;
        if (!first) return <Empty title={words.noDestinations} text={words.noneSavedText} action={action} />;
        return (
          <Form
            read={() => data.find(({ id }) => id === chosen) ?? first}
            change={{
              mutate: (found) => onDone(savedPayee(found, toText(found))),
            }}
            action={words.whom.next}
          >
            <fieldset className={styles.choices} aria-label={words.savedOnes}>
              {data.map((each, at) => (
                <Radio
                  key={each.id}
                  name="destination"
                  label={each.label ?? toText(each)}
                  hint={each.type === 'PIX' ? each.label && toText(each) : words.bankNote}
                  checked={chosen === undefined ? at === 0 : chosen === each.id}
                  onChange={() => setChosen(each.id)}
                />
              ))}
            </fieldset>
          </Form>
        );
      }}
    </Read>
  );
}

function savedPayee(saved: DestinationView, text: string): Payee {
  const payee = { to: { destinationId: saved.id }, source: 'MANUAL', text } as const;
  if (saved.type === 'BANK_ACCOUNT') return { ...payee, name: saved.holderName };
  return { ...payee, key: { pixKey: saved.pixKey, pixKeyType: saved.pixKeyType } };
}

function KeyForm({ onDone }: Props) {
  const words = useWords(newWithdrawalWords);
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: async (key: NonNullable<Payee['key']>) => {
      await client.fetchQuery(ownerQuery(key)).catch((error) => {
        if (isWrongKey(error)) throw error;
      });
    },
    onSuccess: (_owner, key) => onDone({ to: key, source: 'MANUAL', text: key.pixKey, key }),
  });
  return (
    <Form schema={typedKey} read={pixKeyIn} change={change} action={words.whom.next}>
      <PixKeyFields />
    </Form>
  );
}
