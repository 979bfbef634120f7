import { accountChange } from '@plataforma/contracts/account-change';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Field } from '../../components/field/field.tsx';
import { Form, textIn } from '../../components/form/form.tsx';
import layout from '../../components/layout.module.css';
import { money } from '../../shared/format.ts';
import { useWords } from '../../shared/language.ts';
import { CheckoutPreview } from '../checkout-preview/checkout-preview.tsx';
import { LogoField } from '../logo-field/logo-field.tsx';
import { logoWords } from '../logo-field/words.ts';
import { Read } from '../read.tsx';
import { accountLogoQuery } from '../session/session.ts';
import { useAccountChange } from './change.ts';
import styles from './settings.module.css';
import { settingsWords } from './words.ts';

const EXAMPLE_CENTS = 12_990;

export function AppearanceForm({ colour, name }: { colour: string; name: string }) {
  const words = useWords(settingsWords);
  const { removeLogo } = useWords(logoWords);
  const read = useQuery(accountLogoQuery);
  const [chosen, choose] = useState(colour);
  // The logo that the user chose. Null removes the logo, and undefined leaves it unchanged.
  const [logo, chooseLogo] = useState<string | null>();
  const change = useAccountChange();
  return (
    <Form
      schema={accountChange}
      read={(data) => ({ checkoutColor: textIn(data, 'checkoutColor') })}
      change={{
        ...change,
        mutate: (body) =>
          change.mutate(
            { ...body, ...(logo !== undefined && { logo }) },
            { onSuccess: () => chooseLogo(undefined) },
          ),
      }}
      action={words.save}
      kind="plain"
    >
      <div className={styles.look}>
        <div className={layout.stack}>
          <Field
            label={words.brandColour}
            name="checkoutColor"
            type="color"
            hint={words.brandColourHint}
            value={chosen}
            onChange={(event) => choose(event.target.value)}
          />
          <Read of={read} lines={2}>
            {(saved) => (
              <LogoField
                logo={logo === undefined ? saved.logo : logo}
                clearLabel={removeLogo}
                onChange={chooseLogo}
              />
            )}
          </Read>
        </div>
        <CheckoutPreview
          colour={chosen}
          name={name}
          logo={logo === undefined ? (read.data?.logo ?? null) : logo}
          title={money(EXAMPLE_CENTS)}
          text={words.waiting}
          buttons={[words.copyPix]}
        />
      </div>
    </Form>
  );
}
