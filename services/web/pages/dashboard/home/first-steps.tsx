import { Link } from '@tanstack/react-router';
import { Card } from '../../components/card/card.tsx';
import layout from '../../components/layout.module.css';
import { Share } from '../../components/share/share.tsx';
import { Segments } from '../../components/tabs/tabs.tsx';
import { environment } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { GuideLink } from '../guide/guide-link.tsx';
import { optionsOf } from '../options.ts';
import { Step, Steps } from '../steps/steps.tsx';
import { sellers, setSeller } from './seller.ts';
import type { FirstStepsState } from './use-first-steps.ts';
import { homeWords } from './words.ts';

/** The first steps of the two kinds of sellers. The user changes between them above the steps. */
export function FirstSteps(steps: FirstStepsState) {
  const words = useWords(homeWords);
  const isSite = steps.seller === 'site';
  return (
    <Card title={words.begin} action={isSite && <GuideLink to="firstCharge" isShort />}>
      <div className={layout.stack}>
        <div className={layout.row}>
          <Segments
            label={words.seller}
            value={steps.seller}
            options={optionsOf(words.sellers, sellers)}
            onChange={setSeller}
          />
        </div>
        <Steps>{isSite ? <SiteSteps {...steps} /> : <MessageSteps {...steps} />}</Steps>
      </div>
    </Card>
  );
}

function SiteSteps({ hasKey, isPaid, isLast }: FirstStepsState) {
  const words = useWords(homeWords);
  return (
    <>
      <Step isDone={hasKey} title={<Link to="/developers">{words.key}</Link>} text={words.keyText} />
      <Step
        isDone={isPaid}
        title={<Link to="/charges/new">{words.chargeStep}</Link>}
        text={environment === 'sandbox' ? words.chargeTest : words.chargeLive}
      />
      <Step isDone={isLast} title={<Link to="/developers">{words.webhook}</Link>} text={words.webhookText} />
    </>
  );
}

/** A payment also completes the earlier steps, because the payment link may no longer exist. */
function MessageSteps({ isPaid, isLast, link }: FirstStepsState) {
  const words = useWords(homeWords);
  return (
    <>
      <Step
        isDone={isPaid || link !== null}
        title={<Link to="/payment-links/new">{words.linkStep}</Link>}
        text={words.linkText}
      />
      <ShareStep isDone={isPaid || (link?.visits ?? 0) > 0} link={link} />
      <Step
        isDone={isPaid}
        title={
          <Link to="/charges" search={{}}>
            {words.paidStep}
          </Link>
        }
        text={environment === 'sandbox' ? words.paidTest : words.paidLive}
      />
      <Step
        isDone={isLast}
        title={
          <Link to="/destinations" search={{}}>
            {words.bankStep}
          </Link>
        }
        text={words.bankText}
      />
    </>
  );
}

function ShareStep({ isDone, link }: Pick<FirstStepsState, 'link'> & { isDone: boolean }) {
  const words = useWords(homeWords);
  if (link === null || link.url === null) {
    return <Step isDone={isDone} title={words.shareStep} text={words.shareText} />;
  }
  return (
    <Step
      isDone={isDone}
      title={
        <Link to="/payment-links/$id" params={{ id: link.id }}>
          {words.shareStep}
        </Link>
      }
      text={words.shareText}
      actions={<Share text={link.description} url={link.url} />}
    />
  );
}
