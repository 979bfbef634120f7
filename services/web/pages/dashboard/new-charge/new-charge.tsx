import { newCharge } from '@plataforma/contracts/new-charge';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { z } from 'zod';
import { Button, buttonClass } from '../../components/button/button.tsx';
import { Card, Page } from '../../components/card/card.tsx';
import { DocumentField, Field, MoneyField, Select } from '../../components/field/field.tsx';
import { Form, FormActions, FormRow, filledIn, named, textIn, textsIn } from '../../components/form/form.tsx';
import layout from '../../components/layout.module.css';
import { Notice } from '../../components/states/states.tsx';
import { call } from '../../shared/api.ts';
import { centsOf } from '../../shared/format.ts';
import { useWords } from '../../shared/language.ts';
import { useChange } from '../changes/use-change.ts';
import { BackLink } from '../lists/links.tsx';
import { useAccount } from '../session/session.ts';
import { useLifetimes } from './lifetimes.ts';
import { newChargeWords } from './words.ts';

type NewCharge = z.input<typeof newCharge>;

function chargeIn(data: FormData): NewCharge {
  return {
    paymentMethod: 'PIX',
    amount: centsOf(textIn(data, 'amount')),
    ...textsIn(data, 'externalId', 'payerName', 'payerDocument'),
    expiresIn: Number(textIn(data, 'expiresIn')),
    ...filledIn(data, 'payerEmail', 'description'),
  };
}

const savedChargeIn = (saved: unknown) =>
  newCharge.safeParse(saved).success ? (saved as NewCharge) : undefined;

export function NewChargePage() {
  const words = useWords(newChargeWords);
  const back = <BackLink to="/charges" text={words.charges} />;
  return (
    <Page title={words.newCharge} back={back}>
      <div className={layout.narrow}>
        <Card>
          <NewChargeForm />
        </Card>
      </div>
    </Page>
  );
}

function NewChargeForm() {
  const words = useWords(newChargeWords);
  const navigate = useNavigate();
  const [order] = useState(() => words.orderPrefix + Date.now().toString(36));
  const change = useChange({
    resume: { form: 'charge', account: useAccount()?.id, read: savedChargeIn },
    send: (body: NewCharge, idempotencyKey) => call('POST /v1/charges', { body, idempotencyKey }),
    changes: ['charge'],
    done: words.created,
    onDone: ({ id }) => navigate({ to: '/charges/$id', params: { id }, replace: true }),
  });
  return (
    <Form schema={newCharge} read={chargeIn} change={change}>
      {change.isResuming && <Notice>{words.resuming}</Notice>}
      <FormRow>
        <MoneyField {...named(words, 'amount')} required autoFocus />
        <Select {...named(words, 'expiresIn')} defaultValue="3600" options={useLifetimes()} />
      </FormRow>
      <Field {...named(words, 'payerName')} autoComplete="off" maxLength={120} required />
      <FormRow>
        <DocumentField {...named(words, 'payerDocument')} required />
        <Field {...named(words, 'payerEmail')} type="email" autoComplete="off" required={false} />
      </FormRow>
      <Field
        label={words.orderNumber}
        name="externalId"
        defaultValue={order}
        hint={words.orderHint}
        maxLength={64}
        required
      />
      <Field {...named(words, 'description')} maxLength={255} required={false} />
      <FormActions>
        <Link to="/charges" search={{}} className={buttonClass()}>
          {words.cancel}
        </Link>
        <Button type="submit" kind="primary" busy={change.isPending}>
          {words.create}
        </Button>
      </FormActions>
    </Form>
  );
}
