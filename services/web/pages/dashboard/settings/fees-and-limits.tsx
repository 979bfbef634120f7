import type { AccountView } from '@plataforma/contracts';
import { Card } from '../../components/card/card.tsx';
import { Details } from '../../components/details/details.tsx';
import { Time } from '../../components/values/values.tsx';
import { environment } from '../../shared/api.ts';
import { money, percent } from '../../shared/format.ts';
import { useLanguage, useWords } from '../../shared/language.ts';
import { leftToday, useTakesCards } from '../session/session.ts';
import styles from './settings.module.css';
import { settingsWords } from './words.ts';

const BPS = 10_000;

export function Fees({ account }: { account: AccountView }) {
  const words = useWords(settingsWords);
  const language = useLanguage();
  const takesCards = useTakesCards();
  const { fees, withdrawalFee, withdrawalFeeMode, settlementDays, settlementCalendar } = account;
  const feeText = ({ bps, fixed }: AccountView['fees']['PIX']) =>
    [bps > 0 && percent(bps / BPS, language), (fixed > 0 || bps === 0) && money(fixed)]
      .filter(Boolean)
      .join(' + ');
  const mode = withdrawalFeeMode === 'AMOUNT' ? words.feeFromAmount : words.feeOnTop;
  const days = settlementCalendar === 'banking' ? words.bankDays : words.days;
  return (
    <Card title={words.fees}>
      <Details
        details={[
          { label: words.pix, value: feeText(fees.PIX) },
          { label: words.card, value: takesCards ? feeText(fees.CARD) : words.noCard },
          { label: words.settles, value: settlementDays === 0 ? words.atOnce : days(settlementDays) },
          {
            label: words.withdrawal,
            value: withdrawalFee > 0 ? `${money(withdrawalFee)} · ${mode}` : money(0),
          },
        ]}
      />
    </Card>
  );
}

export function Limits({ account: { limits } }: { account: AccountView }) {
  const words = useWords(settingsWords);
  const { autoApproveLimit, newPayeesPerDay, maxInstallments, today } = limits;
  const { dailyWithdrawalLimit, destinationCooldownHours } = {
    ...limits,
    ...(environment === 'sandbox' && limits.sandbox),
  };
  const day = leftToday(today);
  const byLimit = autoApproveLimit > 0 ? words.upTo(money(autoApproveLimit)) : words.never;
  return (
    <Card title={words.limits}>
      <Details
        details={[
          { label: words.auto, value: environment === 'sandbox' ? words.inTest : byLimit },
          {
            label: words.daily,
            value: dailyWithdrawalLimit === null ? words.noLimit : money(dailyWithdrawalLimit),
          },
          {
            label: words.left,
            value: day && (
              <>
                {money(day.left)} {`${words.until}\u00a0`}
                <Time at={day.until} />
              </>
            ),
          },
          ...(environment === 'production'
            ? [{ label: words.newPayees, value: newPayeesPerDay ?? words.noLimit }]
            : []),
          { label: words.cooldown, value: words.hours(destinationCooldownHours) },
          { label: words.installments, value: maxInstallments },
        ]}
      />
      <p className={styles.soft}>{words.byPlatform}</p>
    </Card>
  );
}
