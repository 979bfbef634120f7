import type { WebhookConfigurationView } from '@plataforma/contracts';
import { optInEventTypes, webhookEventTypes } from '@plataforma/contracts/webhook-configuration';
import { useState } from 'react';
import { Checkbox } from '../../components/field/choices.tsx';
import { Field, Select } from '../../components/field/field.tsx';
import { named, textIn } from '../../components/form/form.tsx';
import layout from '../../components/layout.module.css';
import { Segments } from '../../components/tabs/tabs.tsx';
import { useWords } from '../../shared/language.ts';
import { optionsOf } from '../options.ts';
import styles from './webhooks.module.css';
import { webhookWords } from './words.ts';

const optIn: readonly string[] = optInEventTypes;
const standardEvents = webhookEventTypes.filter((each) => !optIn.includes(each));

/** Reads the webhook in the form. If no event is chosen, the API uses its standard events. */
export function webhookIn(data: FormData) {
  return {
    url: textIn(data, 'url'),
    events: webhookEventTypes.filter((each) => data.has(each)),
    signatureVersion: data.get('signatureVersion') === 'standard' ? ('standard' as const) : ('v1' as const),
    retrySchedule: data.get('retrySchedule') === 'extended' ? ('extended' as const) : ('short' as const),
  };
}

interface Props {
  url: string | undefined;
  webhook?: WebhookConfigurationView;
}

export function WebhookFields({ url, webhook }: Props) {
  const words = useWords(webhookWords);
  return (
    <>
      <Field
        label={words.address}
        name="url"
        type="url"
        inputMode="url"
        hint={words.urlHint}
        defaultValue={url}
        autoComplete="off"
        maxLength={2048}
        required
        autoFocus
      />
      <Events chosen={webhook?.events ?? []} />
      <Select
        {...named(words, 'signatureVersion')}
        defaultValue={webhook?.signatureVersion}
        options={optionsOf(words.signatures)}
      />
      <Select
        {...named(words, 'retrySchedule')}
        defaultValue={webhook?.retrySchedule ?? 'extended'}
        options={optionsOf(words.schedules)}
      />
    </>
  );
}

function Events({ chosen }: { chosen: readonly string[] }) {
  const words = useWords(webhookWords);
  const [which, setWhich] = useState<'standard' | 'some'>(chosen.length === 0 ? 'standard' : 'some');
  const marked = chosen.length === 0 ? standardEvents : chosen;
  return (
    <>
      <Segments<'standard' | 'some'>
        label={words.events}
        value={which}
        options={optionsOf({ standard: words.standardEvents, some: words.someEvents })}
        onChange={setWhich}
      />
      {which === 'standard' && <p className={layout.soft}>{words.standardHint}</p>}
      {which === 'some' && (
        <fieldset className={styles.events} aria-label={words.events}>
          {webhookEventTypes.map((each) => (
            <Checkbox key={each} name={each} label={each} defaultChecked={marked.includes(each)} />
          ))}
        </fieldset>
      )}
    </>
  );
}
