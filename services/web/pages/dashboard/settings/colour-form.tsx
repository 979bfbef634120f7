import '../../shared/zod.ts';
import { accountChange } from '@plataforma/contracts/account-change';
import { useState } from 'react';
import { Button } from '../../parts/button/button.tsx';
import { Field } from '../../parts/field/field.tsx';
import { Form, FormActions, textIn } from '../../parts/form/form.tsx';
import { money } from '../../shared/format.ts';
import { useWords } from '../../shared/language.ts';
import { CheckoutPreview } from '../checkout-preview/checkout-preview.tsx';
import { useAccountChange } from './change.ts';
import styles from './settings.module.css';
import { settingsWords } from './words.ts';

const EXAMPLE_CENTS = 12_990;

interface Props {
  colour: string;
  name: string;
}

/** The checkout's colour, shown as it will be before it is saved. */
export function ColourForm({ colour, name }: Props) {
  const words = useWords(settingsWords);
  const [chosen, choose] = useState(colour);
  const { mutate, error, isPending } = useAccountChange();
  return (
    <Form
      schema={accountChange}
      read={(data) => ({ checkoutColor: textIn(data, 'checkoutColor') })}
      send={mutate}
      error={error}
    >
      <div className={styles.colour}>
        <Field
          label={words.colour}
          name="checkoutColor"
          type="color"
          hint={words.colourHint}
          value={chosen}
          onChange={(event) => choose(event.target.value)}
        />
        <CheckoutPreview
          colour={chosen}
          name={name}
          title={money(EXAMPLE_CENTS)}
          text={words.waiting}
          buttons={[words.pay]}
        />
      </div>
      <FormActions>
        <Button type="submit" busy={isPending}>
          {words.save}
        </Button>
      </FormActions>
    </Form>
  );
}
