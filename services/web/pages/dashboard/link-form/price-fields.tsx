import { useState } from 'react';
import { Card } from '../../components/card/card.tsx';
import { Checkbox, Choices } from '../../components/field/choices.tsx';
import { MoneyField, Select } from '../../components/field/field.tsx';
import { useFieldError } from '../../components/form/field-errors.ts';
import { FormRow, named } from '../../components/form/form.tsx';
import layout from '../../components/layout.module.css';
import { SupportText } from '../../components/support-text/support-text.tsx';
import { useWords } from '../../shared/language.ts';
import { methodWords } from '../../shared/statuses.ts';
import { useLifetimes } from '../new-charge/lifetimes.ts';
import { optionsOf } from '../options.ts';
import { useTakesCards } from '../session/session.ts';
import { DescriptionField } from './description-field.tsx';
import { LabelledSegments } from './labelled-segments.tsx';
import type { Shown } from './link-preview.tsx';
import { linkFormWords } from './words.ts';

interface Props {
  shown: Shown;
  onChange: (changed: Partial<Shown>) => void;
}

/**
 * The fields for description, amount and payment methods. After the link is created, only the description can
 * change.
 */
export function PriceFields({ shown, onChange }: Props) {
  const words = useWords(linkFormWords);
  return (
    <Card title={words.what}>
      <div className={layout.stack}>
        <DescriptionField onChange={(description) => onChange({ description })} isFirst />
        <AmountFields onChange={(amount) => onChange({ amount })} />
        <Methods chosen={shown.methods} onChange={(methods) => onChange({ methods })} />
        {shown.methods.includes('PIX') && <PixLife />}
      </div>
    </Card>
  );
}

function AmountFields({ onChange }: { onChange: (amount: number | null) => void }) {
  const words = useWords(linkFormWords);
  const [kind, setKind] = useState<'fixed' | 'open'>('fixed');

  function choose(chosen: typeof kind): void {
    setKind(chosen);
    onChange(chosen === 'open' ? null : 0);
  }

  return (
    <>
      <LabelledSegments<typeof kind>
        label={words.amountKind}
        value={kind}
        options={optionsOf({ fixed: words.fixed, open: words.buyerDecides })}
        onChange={choose}
      />
      {kind === 'fixed' ? (
        <MoneyField {...named(words, 'amount')} required onCents={onChange} />
      ) : (
        <FormRow>
          <MoneyField label={words.least} name="minAmount" hint={words.boundsHint} required={false} />
          <MoneyField label={words.most} name="maxAmount" hint={words.boundsHint} required={false} />
        </FormRow>
      )}
    </>
  );
}

const all = ['PIX', 'CARD'] as const;

export function methodsOf(takesCards: boolean): Shown['methods'] {
  return takesCards ? all : ['PIX'];
}

interface MethodsProps {
  chosen: Shown['methods'];
  onChange: (chosen: Shown['methods']) => void;
}

function Methods({ chosen, onChange }: MethodsProps) {
  const words = useWords(linkFormWords);
  const names = useWords(methodWords);
  const isWrong = useFieldError('methods') !== undefined;
  const taken = methodsOf(useTakesCards());
  const isTaken = (method: (typeof all)[number]) => taken.includes(method);
  return (
    <Choices legend={words.methods} name="methods">
      {all.map((method) => (
        <Checkbox
          key={method}
          name={method}
          label={names[method]}
          hint={!isTaken(method) && <SupportText text={words.noCard} />}
          disabled={!isTaken(method)}
          checked={chosen.includes(method)}
          aria-invalid={isWrong}
          onChange={({ target: { checked } }) =>
            onChange(all.filter((each) => (each === method ? checked : chosen.includes(each))))
          }
        />
      ))}
    </Choices>
  );
}

function PixLife() {
  const words = useWords(linkFormWords);
  return <Select {...named(words, 'pixExpiresIn')} defaultValue="3600" options={useLifetimes()} />;
}
