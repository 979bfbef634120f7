import { pixKey, pixKeyType } from '@plataforma/contracts/fields';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { z } from 'zod';
import { buttonClass } from '../../components/button/button.tsx';
import { Radio } from '../../components/field/choices.tsx';
import { Form } from '../../components/form/form.tsx';
import layout from '../../components/layout.module.css';
import { Empty } from '../../components/states/states.tsx';
import { Segments } from '../../components/tabs/tabs.tsx';
import { useWords } from '../../shared/language.ts';
import { useDestinationText } from '../destinations/destination-text.ts';
import { PixKeyFields, pixKeyIn } from '../destinations/pix-key-fields.tsx';
import { destinationsQuery } from '../destinations/queries.ts';
import { optionsOf } from '../options.ts';
import { Read } from '../read.tsx';
import type { Payee } from './draft.ts';
import styles from './new-withdrawal.module.css';
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
              mutate: (found) =>
                onDone({ to: { destinationId: found.id }, source: 'MANUAL', text: toText(found) }),
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

const keyed = z.object({ pixKeyType, pixKey });

function KeyForm({ onDone }: Props) {
  const words = useWords(newWithdrawalWords);
  return (
    <Form
      schema={keyed}
      read={pixKeyIn}
      change={{ mutate: (to) => onDone({ to, source: 'MANUAL', text: to.pixKey }) }}
      action={words.whom.next}
    >
      <PixKeyFields />
    </Form>
  );
}
