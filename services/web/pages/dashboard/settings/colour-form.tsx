import '../../shared/zod.ts';
import { accountChange } from '@plataforma/contracts/account-change';
import { type CSSProperties, useState } from 'react';
import { Button } from '../../parts/button/button.tsx';
import { Field } from '../../parts/field/field.tsx';
import { Form, FormActions, textIn } from '../../parts/form/form.tsx';
import { money } from '../../shared/format.ts';
import { useWords } from '../../shared/language.ts';
import { useAccountChange } from './change.ts';
import { textOn } from './contrast.ts';
import styles from './settings.module.css';
import { settingsWords } from './words.ts';

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
        <Preview colour={chosen} name={name} />
      </div>
      <FormActions>
        <Button type="submit" busy={isPending}>
          {words.save}
        </Button>
      </FormActions>
    </Form>
  );
}

const EXAMPLE_CENTS = 12_990;

interface Accented extends CSSProperties {
  '--brand': string;
  '--on-brand': string;
}

/** A picture of the checkout; what it says is read out once, by its name. */
function Preview({ colour, name }: Props) {
  const words = useWords(settingsWords);
  const accent: Accented = { '--brand': colour, '--on-brand': textOn(colour) };
  return (
    <figure className={styles.preview} style={accent} aria-label={words.preview}>
      <figcaption className={styles.soft}>{words.preview}</figcaption>
      <div className={styles.checkout} aria-hidden="true">
        <span className={styles.shop}>{name}</span>
        <span className={styles.price}>{money(EXAMPLE_CENTS)}</span>
        <span className={styles.wait}>{words.waiting}</span>
        <span className={styles.pay}>{words.pay}</span>
      </div>
    </figure>
  );
}
