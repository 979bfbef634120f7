import type { PaymentLinkView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Status } from '../../components/badge/badge.tsx';
import { Columns, Figures, Stack } from '../../components/card/card.tsx';
import { Notice } from '../../components/states/states.tsx';
import { count, share } from '../../shared/format.ts';
import { useLanguage, useWords } from '../../shared/language.ts';
import { BackLink } from '../lists/links.tsx';
import { ObjectPage } from '../object-page.tsx';
import { linkQuery } from '../payment-links/queries.ts';
import { usePaymentsText } from '../payment-links/texts.ts';
import { linkWords } from '../payment-links/words.ts';
import { ObjectRequests } from '../requests/object-requests.tsx';
import { LinkActions } from './link-actions.tsx';
import { LinkAddress } from './link-address.tsx';
import { LinkCharges } from './link-charges.tsx';
import { LinkDetails } from './link-details.tsx';
import { oneLinkWords } from './words.ts';

const route = getRouteApi('/frame/payment-links/$id');

export function PaymentLinkPage() {
  const words = useWords(linkWords);
  const { id } = route.useParams();
  return (
    <ObjectPage
      read={useQuery(linkQuery(id))}
      name={words.paymentLink}
      back={<BackLink to="/payment-links" text={words['payment-links']} />}
      head={(link) => ({
        title: link.description,
        beside: <Status of="paymentLink" status={link.status} />,
        actions: <LinkActions link={link} />,
      })}
    >
      {(link) => (
        <>
          <StateOf link={link} />
          <Counts link={link} />
          <Columns>
            <Stack>
              <LinkAddress link={link} />
              <LinkCharges id={id} />
            </Stack>
            <Stack>
              <LinkDetails link={link} />
              <ObjectRequests id={id} />
            </Stack>
          </Columns>
        </>
      )}
    </ObjectPage>
  );
}

function StateOf({ link: { status, uses, usesTaken, externalId } }: { link: PaymentLinkView }) {
  const { notices } = useWords(oneLinkWords);
  if (status === 'USED_UP') return <Notice>{externalId ? notices.ORDER_PAID : notices.USED_UP}</Notice>;
  if (status !== 'ACTIVE') return <Notice tone="warn">{notices[status]}</Notice>;
  return uses !== null && usesTaken >= uses ? <Notice>{notices.HELD}</Notice> : null;
}

function Counts({ link }: { link: PaymentLinkView }) {
  const words = useWords(linkWords);
  const { visitsHint, startsHint, paymentsHint, ...its } = useWords(oneLinkWords);
  const language = useLanguage();
  const paymentsText = usePaymentsText();
  const { visits, starts, payments } = link;
  const conversion = starts === 0 ? '—' : share(Math.min(1, payments / starts), language);
  return (
    <Figures
      figures={[
        { label: words.visits, value: count(visits, language), hint: visitsHint },
        { label: its.starts, value: count(starts, language), hint: startsHint },
        { label: words.payments, value: paymentsText(link), hint: paymentsHint },
        { label: its.conversion, value: conversion, hint: its.conversionHint },
      ]}
    />
  );
}
