import { useState } from 'react';
import { Field } from '../../components/field/field.tsx';
import { FormRow, named } from '../../components/form/form.tsx';
import { useNow } from '../../shared/clock.ts';
import { daysAgo, offsetText } from '../../shared/format.ts';
import { useWords } from '../../shared/language.ts';
import { useZone } from '../../shared/zone.ts';
import { optionsOf } from '../options.ts';
import { LabelledSegments } from './labelled-segments.tsx';
import { linkFormWords } from './words.ts';

const kinds = ['any', 'once', 'some'] as const;
type Kind = (typeof kinds)[number];

function kindOf(uses: number | null): Kind {
  if (uses === null) return 'any';
  return uses === 1 ? 'once' : 'some';
}

interface Props {
  uses: number | null;
  /** The number of times that an existing link was used, as text. */
  taken?: string;
  /** True if the form contains the order number, which can't change after the link is created. */
  hasOrder?: boolean;
}

/**
 * The fields for the number of uses. A hidden `kind` field says which choice the form shows, because only one
 * choice has a field for a number.
 */
export function UsesFields({ uses, taken, hasOrder = false }: Props) {
  const words = useWords(linkFormWords);
  const [kind, setKind] = useState(kindOf(uses));
  return (
    <>
      <LabelledSegments
        label={words.uses}
        value={kind}
        options={optionsOf(words, kinds)}
        onChange={setKind}
      />
      <input type="hidden" name="kind" value={kind} />
      {kind === 'some' && (
        <Field
          label={words.times}
          name="uses"
          type="number"
          inputMode="numeric"
          min={1}
          max={1_000_000}
          defaultValue={uses !== null && uses > 1 ? uses : 10}
          hint={taken && words.timesHint(taken)}
          required
        />
      )}
      {hasOrder && kind === 'once' && (
        <Field
          label={words.orderNumber}
          name="externalId"
          hint={words.orderHint}
          autoComplete="off"
          maxLength={64}
          required={false}
        />
      )}
      {hasOrder && kind !== 'once' && (
        <Field {...named(words, 'externalIdPrefix')} autoComplete="off" maxLength={31} required={false} />
      )}
    </>
  );
}

export function EndFields({ expires = '', returnUrl = '' }: { expires?: string; returnUrl?: string }) {
  const words = useWords(linkFormWords);
  const now = useNow();
  const zone = useZone();
  return (
    <FormRow>
      <Field
        label={words.validUntil}
        name="expiresAt"
        type="date"
        min={daysAgo(0, now, zone)}
        defaultValue={expires}
        hint={words.expiresHint(offsetText(now, zone))}
        required={false}
      />
      <Field
        {...named(words, 'returnUrl')}
        type="url"
        inputMode="url"
        defaultValue={returnUrl}
        autoComplete="off"
        maxLength={2_000}
        placeholder="https://"
        required={false}
      />
    </FormRow>
  );
}
