import { type Cents, csvLine, inZone, type TimeZone, toDecimal } from '@plataforma/kernel';
import type { NamedTransaction } from './statement.ts';

type Value = string | number | null;

/** Each column by its head. */
type Columns = readonly (readonly [head: string, read: (row: NamedTransaction) => Value])[];

/** A file's first line, and those of rows, as RFC 4180 has them. */
interface CsvForm {
  head: string;
  lines: (rows: readonly NamedTransaction[]) => string;
}

type Locale = 'pt-BR' | 'en';

/** How a statement is written for whom. */
export function statementCsv({
  locale,
  timeZone = 'UTC',
}: {
  locale?: Locale | undefined;
  timeZone?: TimeZone | undefined;
}): CsvForm {
  if (locale === 'pt-BR') return formOf(portuguese(timeZone), ';', BYTE_ORDER_MARK);
  return formOf(locale === 'en' ? english(timeZone) : plain, ',');
}

/** Without it Excel takes UTF-8 for the letters of Windows. */
const BYTE_ORDER_MARK = '\u{FEFF}';

function formOf(columns: Columns, separator: ',' | ';', mark = ''): CsvForm {
  return {
    head:
      mark +
      csvLine(
        columns.map(([head]) => head),
        separator,
      ),
    lines: (rows) =>
      rows
        .map((row) =>
          csvLine(
            columns.map(([, read]) => read(row)),
            separator,
          ),
        )
        .join(''),
  };
}

const afterTime: Columns = [
  ['type', ({ type }) => type],
  ['description', ({ description }) => description],
  ['amount', ({ amount }) => amount],
  ['amountDecimal', ({ amount }) => decimal(amount)],
  ['balanceAfter', ({ balanceAfter }) => balanceAfter],
  ['balanceAfterDecimal', ({ balanceAfter }) => decimal(balanceAfter)],
  ['paymentMethod', ({ paymentMethod }) => paymentMethod],
  ['chargeId', ({ chargeId }) => chargeId],
  ['withdrawalId', ({ withdrawalId }) => withdrawalId],
];

const plain: Columns = [
  ['id', ({ id }) => id],
  ['createdAt', ({ createdAt }) => createdAt.toISOString()],
  ...afterTime,
];

const english = (timeZone: TimeZone): Columns => [
  ['id', ({ id }) => id],
  [`createdAt (${timeZone})`, ({ createdAt }) => inZone(createdAt, timeZone)],
  ...afterTime,
  ['externalId', ({ externalId }) => externalId],
  ['endToEndId', ({ endToEndId }) => endToEndId],
  [`occurredAt (${timeZone})`, ({ occurredAt }) => inZone(occurredAt, timeZone)],
  [`settlesAt (${timeZone})`, ({ settlesAt }) => settlesAt && inZone(settlesAt, timeZone)],
  ['refundId', ({ refundId }) => refundId],
];

export const typesInPortuguese: Record<NamedTransaction['type'], string> = {
  CREDIT: 'Crédito',
  DEBIT: 'Débito',
  FEE: 'Tarifa',
  WITHDRAWAL: 'Saque',
  REFUND: 'Reembolso',
  DISPUTE_RESERVE: 'Reserva de disputa',
  DISPUTE_RELEASE: 'Liberação de disputa',
  DISPUTE_DEFICIT: 'Déficit de disputa',
};

const methodsInPortuguese = { PIX: 'Pix', CARD: 'Cartão', BOLETO: 'Boleto' };

const portuguese = (timeZone: TimeZone): Columns => [
  [`Data e hora (${timeZone})`, ({ createdAt }) => inBrazil(createdAt, timeZone)],
  ['Tipo', ({ type }) => typesInPortuguese[type]],
  ['Descrição', ({ description }) => description],
  ['Valor (R$)', ({ amount }) => decimal(amount).replace('.', ',')],
  ['Saldo (R$)', ({ balanceAfter }) => decimal(balanceAfter).replace('.', ',')],
  ['Forma de pagamento', ({ paymentMethod }) => paymentMethod && methodsInPortuguese[paymentMethod]],
  ['Pedido', ({ externalId }) => externalId],
  ['ID ponta a ponta', ({ endToEndId }) => endToEndId],
  [`Ocorrido em (${timeZone})`, ({ occurredAt }) => inBrazil(occurredAt, timeZone)],
  [`Disponível em (${timeZone})`, ({ settlesAt }) => settlesAt && inBrazil(settlesAt, timeZone)],
  ['Cobrança', ({ chargeId }) => chargeId],
  ['Saque', ({ withdrawalId }) => withdrawalId],
  ['Lançamento', ({ id }) => id],
  ['Devolução', ({ refundId }) => refundId],
];

/** `21/11/2026 09:00:00`, which a spreadsheet in Brazil takes for a time. */
function inBrazil(instant: Date, timeZone: TimeZone): string {
  const [day = '', time = ''] = inZone(instant, timeZone).split('T');
  return `${day.split('-').toReversed().join('/')} ${time.slice(0, 'hh:mm:ss'.length)}`;
}

function decimal(amount: Cents): string {
  return `${amount < 0 ? '-' : ''}${toDecimal(Math.abs(amount))}`;
}
