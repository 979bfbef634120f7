import { type CsvLocale, disputeOutcomeWords } from '@plataforma/contracts';
import { availableMovements, movements } from '@plataforma/contracts/value-words';
import { type Cents, type Environment, inZone, type TimeZone, toDecimal } from '@plataforma/kernel';
import type { NamedTransaction } from '../domain/statement.ts';
import { personOf, rowText } from './row-texts.ts';
import { windows1252Text } from './windows-1252.ts';

export interface OfxAccount {
  bankId: string;
  accountId: string;
  environment: Environment;
}

export interface OfxForm {
  start: Date;
  end: Date;
  now: Date;
  timeZone?: TimeZone | undefined;
  locale: CsvLocale;
}

const HEADER = [
  ...['OFXHEADER:100', 'DATA:OFXSGML', 'VERSION:102', 'SECURITY:NONE', 'ENCODING:USASCII', 'CHARSET:1252'],
  ...['COMPRESSION:NONE', 'OLDFILEUID:NONE', 'NEWFILEUID:NONE', '', ''],
].join('\r\n');

export function ofxHead(account: OfxAccount, { start, end, now, timeZone = 'UTC', locale }: OfxForm): string {
  const status = ['<STATUS>', '<CODE>0', '<SEVERITY>INFO', '</STATUS>'];
  const server = [`<DTSERVER>${timeOf(now, timeZone)}`, `<LANGUAGE>${locale === 'en' ? 'ENG' : 'POR'}`];
  const signOn = ['<SIGNONMSGSRSV1>', '<SONRS>', ...status, ...server, '</SONRS>', '</SIGNONMSGSRSV1>'];
  const range = [`<DTSTART>${timeOf(start, timeZone)}`, `<DTEND>${timeOf(end, timeZone)}`];
  const response = ['<BANKMSGSRSV1>', '<STMTTRNRS>', '<TRNUID>0', ...status, '<STMTRS>', '<CURDEF>BRL'];
  return HEADER + lines(['<OFX>', ...signOn, ...response, ...from(account), '<BANKTRANLIST>', ...range]);
}

export function ofxRows(rows: readonly NamedTransaction[], form: OfxForm): string {
  return rows.map((row) => lines(rowOf(row, form))).join('');
}

/** Returns the end of an OFX file: the balances at the period's end and the closing tags. */
export function ofxTail(
  { closingBalance, withdrawableBalance }: { closingBalance: Cents; withdrawableBalance: Cents },
  { end, timeZone = 'UTC' }: OfxForm,
): string {
  const balance = (name: string, amount: Cents) => {
    return [`<${name}>`, `<BALAMT>${decimal(amount)}`, `<DTASOF>${timeOf(end, timeZone)}`, `</${name}>`];
  };
  const balances = [...balance('LEDGERBAL', closingBalance), ...balance('AVAILBAL', withdrawableBalance)];
  return lines(['</BANKTRANLIST>', ...balances, '</STMTRS>', '</STMTTRNRS>', '</BANKMSGSRSV1>', '</OFX>']);
}

function from({ bankId, accountId, environment }: OfxAccount): string[] {
  const account = [`<BANKID>${bankId}`, `<BRANCHID>${environment}`, `<ACCTID>${accountId}`];
  return ['<BANKACCTFROM>', ...account, '<ACCTTYPE>CHECKING', '</BANKACCTFROM>'];
}

function rowOf(row: NamedTransaction, { timeZone = 'UTC', locale }: OfxForm): string[] {
  const { id, amount, createdAt, externalId, refundId, withdrawalId, disputeOutcome } = row;
  const bankId = row.endToEndId ?? row.nsu;
  const shown = rowText(row, locale);
  const names = [externalId, refundId, withdrawalId].filter((name) => name !== null && !shown.includes(name));
  const end = disputeOutcome && (locale === 'en' ? disputeOutcome : disputeOutcomeWords[disputeOutcome]);
  const outcome = end ? [`(${end.toLowerCase()})`] : [];
  return [
    '<STMTTRN>',
    `<TRNTYPE>${ofxType(row)}`,
    `<DTPOSTED>${timeOf(createdAt, timeZone)}`,
    `<TRNAMT>${decimal(amount)}`,
    `<FITID>${id}`,
    ...(bankId ? [`<REFNUM>${text(bankId, 32)}`] : []),
    `<NAME>${text(personOf(row) ?? typeName(row, locale), 32)}`,
    `<MEMO>${text([shown, ...names, ...outcome, ...feeIn(row, locale)].join(' '), 255)}`,
    '</STMTTRN>',
  ];
}

/** Returns a text such as `(bruto 100,00, tarifa 0,25)` if the row has a fee. */
function feeIn({ movement }: NamedTransaction, locale: CsvLocale): string[] {
  const { grossAmount, feeAmount } = movement ?? {};
  if (!feeAmount || typeof grossAmount !== 'number') return [];
  const [gross, fee] = locale === 'en' ? ['gross', 'fee'] : ['bruto', 'tarifa'];
  const written = (amount: Cents) => decimal(amount).replace('.', locale === 'en' ? '.' : ',');
  return [`(${gross} ${written(grossAmount)}, ${fee} ${written(feeAmount)})`];
}

function typeName({ type, movement }: NamedTransaction, locale: CsvLocale): string {
  return movement ? availableMovements[locale][movement.type] : movements[locale][type];
}

function ofxType({ type, amount }: NamedTransaction): string {
  if (type === 'WITHDRAWAL') return 'XFER';
  if (amount > 0) return 'CREDIT';
  return type === 'FEE' ? 'FEE' : 'DEBIT';
}

/** Converts a text to one line in Windows-1252. Escapes the three special characters of SGML. */
function text(value: string, length: number): string {
  const signs = { '&': '&amp;', '<': '&lt;', '>': '&gt;' } as const;
  const shown = windows1252Text(value).trim().slice(0, length);
  return shown.replace(/&/g, signs['&']).replace(/</g, signs['<']).replace(/>/g, signs['>']);
}

const zoneNames: Record<string, string> = {
  '-02': '-2:FNT',
  '-03': '-3:BRT',
  '-04': '-4:AMT',
  '-05': '-5:ACT',
};

/** Formats an instant as `20261121090000.000[-3:BRT]`. */
function timeOf(instant: Date, timeZone: TimeZone): string {
  const local = inZone(instant, timeZone);
  const offset = local.slice(-'-03:00'.length, -':00'.length);
  return `${local.slice(0, '2026-11-21T09:00:00.000'.length).replace(/[-T:]/g, '')}[${zoneNames[offset] ?? '0:GMT'}]`;
}

function decimal(amount: Cents): string {
  return `${amount < 0 ? '-' : ''}${toDecimal(Math.abs(amount))}`;
}

function lines(texts: readonly string[]): string {
  return texts.map((part) => `${part}\r\n`).join('');
}
