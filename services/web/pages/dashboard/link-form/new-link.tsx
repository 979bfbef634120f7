import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, buttonClass } from '../../components/button/button.tsx';
import { Card, Page } from '../../components/card/card.tsx';
import { Checkbox } from '../../components/field/choices.tsx';
import { DocumentField, Field } from '../../components/field/field.tsx';
import { Form, FormActions, FormRow, named } from '../../components/form/form.tsx';
import layout from '../../components/layout.module.css';
import { Notice } from '../../components/states/states.tsx';
import { call } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { useZone } from '../../shared/zone.ts';
import { useChange } from '../changes/use-change.ts';
import { BackLink } from '../lists/links.tsx';
import { useAccount, useTakesCards } from '../session/session.ts';
import { AppearanceFields, useAppearance } from './appearance-fields.tsx';
import { type NewLink, newLinkChecks, newLinkIn } from './link-fields.ts';
import styles from './link-form.module.css';
import { LinkPreview, type Shown } from './link-preview.tsx';
import { methodsOf, PriceFields } from './price-fields.tsx';
import { EndFields, UsesFields } from './uses-fields.tsx';
import { linkFormWords } from './words.ts';

export function NewLinkPage() {
  const words = useWords(linkFormWords);
  const back = <BackLink to="/payment-links" text={words['payment-links']} />;
  return (
    <Page title={words.title} back={back}>
      <NewLinkForm />
    </Page>
  );
}

const savedLinkIn = (saved: unknown) =>
  newLinkChecks.safeParse(saved).success ? (saved as NewLink) : undefined;
const atFirst = { description: '', amount: 0, isPayerKnown: false };

function NewLinkForm() {
  const words = useWords(linkFormWords);
  const navigate = useNavigate();
  const takesCards = useTakesCards();
  const zone = useZone();
  const [shown, show] = useState<Shown>({ ...atFirst, methods: methodsOf(takesCards) });
  const { appearance, changeAppearance } = useAppearance({ checkoutColor: null, logo: null });
  const change = (changed: Partial<Shown>) => show((before) => ({ ...before, ...changed }));
  const creation = useChange({
    resume: { form: 'payment-link', account: useAccount()?.id, read: savedLinkIn },
    send: (body: NewLink, idempotencyKey) => call('POST /v1/payment-links', { body, idempotencyKey }),
    changes: ['paymentLink'],
    done: words.created,
    onDone: ({ id }) => navigate({ to: '/payment-links/$id', params: { id }, replace: true }),
  });
  return (
    <Form schema={newLinkChecks} read={(data) => newLinkIn(data, appearance, zone)} change={creation}>
      {creation.isResuming && <Notice>{words.resuming}</Notice>}
      <div className={styles.form}>
        <div className={layout.stack}>
          <PriceFields shown={shown} onChange={change} />
          <Card title={words.limits}>
            <div className={layout.stack}>
              <UsesFields uses={null} hasOrder />
              <EndFields />
              <PayerFields
                isKnown={shown.isPayerKnown}
                onKnown={(isPayerKnown) => change({ isPayerKnown })}
              />
            </div>
          </Card>
          <Card title={words.appearance}>
            <AppearanceFields appearance={appearance} onChange={changeAppearance} />
          </Card>
        </div>
        <div className={styles.beside}>
          <LinkPreview shown={shown} appearance={appearance} />
        </div>
        <FormActions>
          <Link to="/payment-links" search={{}} className={buttonClass()}>
            {words.cancel}
          </Link>
          <Button type="submit" kind="primary" busy={creation.isPending}>
            {words.create}
          </Button>
        </FormActions>
      </div>
    </Form>
  );
}

function PayerFields({ isKnown, onKnown }: { isKnown: boolean; onKnown: (isKnown: boolean) => void }) {
  const words = useWords(linkFormWords);
  return (
    <>
      <Checkbox
        label={words.knownPayer}
        hint={words.knownPayerHint}
        checked={isKnown}
        onChange={(event) => onKnown(event.target.checked)}
      />
      {isKnown && (
        <FormRow>
          <Field {...named(words, 'payerName')} autoComplete="off" maxLength={120} required />
          <DocumentField {...named(words, 'payerDocument')} required />
        </FormRow>
      )}
    </>
  );
}
