import type { PaymentLinkView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, buttonClass } from '../../components/button/button.tsx';
import { Card, Page } from '../../components/card/card.tsx';
import { Form, FormActions } from '../../components/form/form.tsx';
import layout from '../../components/layout.module.css';
import { call } from '../../shared/api.ts';
import { count } from '../../shared/format.ts';
import { useLanguage, useWords } from '../../shared/language.ts';
import { useZone } from '../../shared/zone.ts';
import { useChange } from '../changes/use-change.ts';
import { linkQuery } from '../payment-links/queries.ts';
import { Read } from '../read.tsx';
import { AppearanceFields, useAppearance } from './appearance-fields.tsx';
import { DescriptionField } from './description-field.tsx';
import { endDayOf, type LinkChange, linkChangeChecks, linkChangeIn } from './link-fields.ts';
import styles from './link-form.module.css';
import { LinkPreview } from './link-preview.tsx';
import { EndFields, UsesFields } from './uses-fields.tsx';
import { linkFormWords } from './words.ts';

const route = getRouteApi('/frame/payment-links/$id/edit');

export function EditLinkPage() {
  const words = useWords(linkFormWords);
  const { id } = route.useParams();
  const read = useQuery({ ...linkQuery(id), refetchInterval: false });
  const back = (
    <Link to="/payment-links/$id" params={{ id }}>
      ← {words.paymentLink}
    </Link>
  );
  return (
    <Page title={words.editTitle} back={back}>
      <Read of={read} lines={8}>
        {(link) => <EditForm link={link} />}
      </Read>
    </Page>
  );
}

function EditForm({ link }: { link: PaymentLinkView }) {
  const words = useWords(linkFormWords);
  const language = useLanguage();
  const navigate = useNavigate();
  // The form keeps the link as it was when the form opened. Later reads do not replace the input, and only
  // changed fields are sent.
  const zone = useZone();
  const [opened] = useState({ ...link, zone });
  const { id, payments, externalId, payerName, amount, methods } = link;
  const [description, describe] = useState(opened.description);
  const { appearance, changeAppearance } = useAppearance({
    checkoutColor: opened.checkoutColor,
    logo: opened.logo,
  });
  const change = useChange({
    send: (body: LinkChange) => call('PATCH /v1/payment-links/:id', { params: { id }, body }),
    changes: ['paymentLink'],
    done: words.changesSaved,
    onDone: () => navigate({ to: '/payment-links/$id', params: { id }, replace: true }),
  });
  return (
    <Form
      schema={linkChangeChecks(payments)}
      read={(data) => linkChangeIn(data, appearance, opened)}
      change={change}
    >
      <div className={styles.form}>
        <Card>
          <div className={layout.stack}>
            <DescriptionField text={opened.description} onChange={describe} />
            {externalId === null && <UsesFields uses={opened.uses} taken={count(payments, language)} />}
            <EndFields expires={endDayOf(opened)} returnUrl={opened.returnUrl ?? ''} />
            <AppearanceFields appearance={appearance} onChange={changeAppearance} />
            <p className={layout.soft}>{words.fixedNote}</p>
          </div>
        </Card>
        <div className={styles.beside}>
          <LinkPreview
            shown={{ description, amount, methods, isPayerKnown: payerName !== null }}
            appearance={appearance}
          />
        </div>
        <FormActions>
          <Link to="/payment-links/$id" params={{ id }} className={buttonClass()}>
            {words.cancel}
          </Link>
          <Button type="submit" kind="primary" busy={change.isPending}>
            {words.save}
          </Button>
        </FormActions>
      </div>
    </Form>
  );
}
