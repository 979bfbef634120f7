import type { SandboxClockView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../../components/card/card.tsx';
import { Field, Select } from '../../components/field/field.tsx';
import { Form, FormRow, named, textIn } from '../../components/form/form.tsx';
import layout from '../../components/layout.module.css';
import { Notice } from '../../components/states/states.tsx';
import { call } from '../../shared/api.ts';
import { useDateTime } from '../../shared/date-time.ts';
import { duration } from '../../shared/format.ts';
import { useLanguage, useWords } from '../../shared/language.ts';
import { notifyTabs } from '../../shared/live.ts';
import { useChange } from '../changes/use-change.ts';
import { GuideLink } from '../guide/guide-link.tsx';
import { optionsOf } from '../options.ts';
import { Read } from '../read.tsx';
import { clockQuery, fallingDue } from './queries.ts';
import styles from './sandbox.module.css';
import { sandboxWords } from './words.ts';

const CHANGES = ['sandbox', ...fallingDue];
const durations = { days: (n: string) => `P${n}D`, hours: (n: string) => `PT${n}H` };
const MAX = { days: 365, hours: 8_760 };
type Unit = keyof typeof durations;

export function Clock() {
  const { clock: words } = useWords(sandboxWords);
  const [round, setRound] = useState(0);
  return (
    <Card title={words.title} action={<GuideLink to="clock" isShort />}>
      <p className={styles.text}>{words.text}</p>
      <Read of={useQuery(clockQuery)} lines={3}>
        {(clock) => (
          <>
            <Now clock={clock} />
            <Move key={round} onDone={() => setRound((before) => before + 1)} />
          </>
        )}
      </Read>
    </Card>
  );
}

function Now({ clock: { now, aheadSeconds, waitingFor } }: { clock: SandboxClockView }) {
  const { clock: words } = useWords(sandboxWords);
  const language = useLanguage();
  const dateTime = useDateTime();
  const ahead = duration(Math.round(aheadSeconds), language);
  return (
    <>
      <p className={styles.now}>
        <strong>{dateTime(now)}</strong> <small>{ahead === '' ? words.never : words.ahead(ahead)}</small>
      </p>
      {waitingFor.length > 0 && <Notice tone="warn">{words.waiting}</Notice>}
    </>
  );
}

function moveIn(data: FormData) {
  const unit: Unit = textIn(data, 'unit') === 'hours' ? 'hours' : 'days';
  return { count: Number(textIn(data, 'count')), unit };
}

/** Checks the form that moves the clock. The form shows an error at the field for the number. */
const moves = {
  safeParse({ count, unit }: ReturnType<typeof moveIn>) {
    const success = Number.isInteger(count) && count >= 1 && count <= MAX[unit];
    return { success, error: success ? undefined : { issues: [{ path: ['count'] }] } };
  },
};

function Move({ onDone }: { onDone: () => void }) {
  const { clock: words } = useWords(sandboxWords);
  const change = useChange({
    send: ({ count, unit }: ReturnType<typeof moveIn>, idempotencyKey) =>
      call('POST /v1/sandbox/clock', { body: { advance: durations[unit](`${count}`) }, idempotencyKey }),
    changes: CHANGES,
    done: words.moved,
    onDone: () => {
      notifyTabs(CHANGES);
      onDone();
    },
  });
  return (
    <Form schema={moves} read={moveIn} change={change} action={words.move}>
      <FormRow>
        <Field {...named(words, 'count')} type="number" min={1} defaultValue={1} />
        <Select {...named(words, 'unit')} options={optionsOf(words.units)} />
      </FormRow>
      <p className={layout.soft}>{words.forward}</p>
    </Form>
  );
}
