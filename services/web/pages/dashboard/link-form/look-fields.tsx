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

/** How a link's page looks, apart from its words. */
export interface Look {
  /** Null: the account's. */
  checkoutColor: string | null;
  /** A data URI; null: the account's. */
  logo: string | null;
}

export function useLook(atFirst: Look) {
  const [look, setLook] = useState(atFirst);
  const changeLook = (changed: Partial<Look>) => setLook((before) => ({ ...before, ...changed }));
  return { look, changeLook };
}

interface Props {
  look: Look;
  onChange: (changed: Partial<Look>) => void;
}

export function LookFields({ look, onChange }: Props) {
  const words = useWords(linkFormWords);
  const { removeLogo } = useWords(logoWords);
  const account = useAccount()?.checkoutColor ?? '#000000';
  const accountLogo = useAccountLogo();
  const colourField = useRef<HTMLInputElement>(null);

  /** The button that was pressed is gone: the focus goes to the field beside it. */
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
          value={look.checkoutColor ?? account}
          onChange={({ target: { value } }) => onChange({ checkoutColor: value === account ? null : value })}
        />
        {look.checkoutColor !== null && (
          <Button size="small" kind="quiet" onClick={clearColour}>
            {words.accountColour}
          </Button>
        )}
      </div>
      <LogoField
        logo={look.logo}
        note={accountLogo ? words.logoNote : undefined}
        clearLabel={accountLogo ? words.accountLogo : removeLogo}
        onChange={(logo) => onChange({ logo })}
      />
    </FormRow>
  );
}
