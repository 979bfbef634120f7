import { useRef, useState } from 'react';
import { Button } from '../../components/button/button.tsx';
import { Field } from '../../components/field/field.tsx';
import { FormRow } from '../../components/form/form.tsx';
import layout from '../../components/layout.module.css';
import { useWords } from '../../shared/language.ts';
import { LogoField } from '../logo-field/logo-field.tsx';
import { logoWords } from '../logo-field/words.ts';
import { useAccount, useAccountLogo } from '../session/session.ts';
import { linkFormWords } from './words.ts';

export interface Appearance {
  /** The colour of the link's checkout. Null means the account's colour. */
  checkoutColor: string | null;
  /** The logo as a data URI. Null means the account's logo. */
  logo: string | null;
}

export function useAppearance(atFirst: Appearance) {
  const [appearance, setAppearance] = useState(atFirst);
  const changeAppearance = (changed: Partial<Appearance>) =>
    setAppearance((before) => ({ ...before, ...changed }));
  return { appearance, changeAppearance };
}

interface Props {
  appearance: Appearance;
  onChange: (changed: Partial<Appearance>) => void;
}

export function AppearanceFields({ appearance, onChange }: Props) {
  const words = useWords(linkFormWords);
  const { removeLogo } = useWords(logoWords);
  const account = useAccount()?.checkoutColor ?? '#000000';
  const accountLogo = useAccountLogo();
  const colourField = useRef<HTMLInputElement>(null);

  /** The pressed button disappears, so the focus moves to the field. */
  function clearColour(): void {
    colourField.current?.focus();
    onChange({ checkoutColor: null });
  }

  return (
    <FormRow>
      <div className={layout.choice}>
        <Field
          ref={colourField}
          label={words.colour}
          name="checkoutColor"
          type="color"
          hint={words.colourHint}
          value={appearance.checkoutColor ?? account}
          onChange={({ target: { value } }) => onChange({ checkoutColor: value === account ? null : value })}
        />
        {appearance.checkoutColor !== null && (
          <Button size="small" kind="quiet" onClick={clearColour}>
            {words.accountColour}
          </Button>
        )}
      </div>
      <LogoField
        logo={appearance.logo}
        emptyText={accountLogo ? words.logoNote : undefined}
        clearLabel={accountLogo ? words.accountLogo : removeLogo}
        onChange={(logo) => onChange({ logo })}
      />
    </FormRow>
  );
}
