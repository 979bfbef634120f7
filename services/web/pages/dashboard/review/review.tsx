import { useQuery } from '@tanstack/react-query';
import { buttonClass } from '../../components/button/button.tsx';
import { Card, Page, Stack } from '../../components/card/card.tsx';
import layout from '../../components/layout.module.css';
import { SupportText } from '../../components/support-text/support-text.tsx';
import { useDateTime } from '../../shared/date-time.ts';
import { documentText } from '../../shared/format.ts';
import { useWords } from '../../shared/language.ts';
import { POLL_MS } from '../../shared/live.ts';
import { accountQuery } from '../session/session.ts';
import { Step, Steps } from '../steps/steps.tsx';
import { reviewWords } from './words.ts';

/** Says what happens until production opens. The page polls, because no event reports the approval. */
export function ReviewPage() {
  const words = useWords(reviewWords);
  const dateTime = useDateTime();
  const { data: account } = useQuery({ ...accountQuery, refetchInterval: POLL_MS });
  if (!account) return null;
  const { companyName, cnpj, createdAt, status } = account;
  const isApproved = status === 'APPROVED';
  const [to, text] = isApproved ? ['/', words.toProduction] : ['/test', words.toTest];
  const action = (
    <a href={to} className={buttonClass('primary')}>
      {text}
    </a>
  );
  return (
    <Page title={isApproved ? words.approved : words.inReview}>
      <div className={layout.narrow}>
        <Stack>
          <Card title={words.next}>
            <Steps>
              <Step
                isDone
                title={words.sent}
                text={`${companyName}, ${documentText(cnpj)} · ${dateTime(createdAt)}`}
              />
              <Step isDone={isApproved} title={words.check} text={<SupportText text={words.checkText} />} />
              <Step isDone={isApproved} title={words.open} text={words.openText} />
            </Steps>
          </Card>
          {isApproved ? (
            <div>{action}</div>
          ) : (
            <Card title={words.meanwhile}>
              <div className={layout.stack}>
                <p>{words.meanwhileText}</p>
                <div>{action}</div>
              </div>
            </Card>
          )}
        </Stack>
      </div>
    </Page>
  );
}
