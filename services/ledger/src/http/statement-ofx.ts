import { disputeOutcomeWords, transactionWords } from '@plataforma/contracts';
import { type Cents, type Environment, inZone, type TimeZone, toDecimal } from '@plataforma/kernel';
import type { NamedTransaction } from '../domain/statement.ts';
import { windows1252Text } from './windows-1252.ts';

interface OfxAccount {
  merchantId: string;
  environment: Environment;
}

/** [start, end] of what is told, in the days of a zone. */
interface OfxPeriod {
  startDate?: Date | undefined;
  endDate?: Date | undefined;
  timeZone?: TimeZone | undefined;
}

const HEADER = [
  ...['OFXHEADER:100', 'DATA:OFXSGML', 'VERSION:102', 'SECURITY:NONE', 'ENCODING:USASCII', 'CHARSET:1252'],
  ...['COMPRESSION:NONE', 'OLDFILEUID:NONE', 'NEWFILEUID:NONE', '', ''],
].join('\r\n');

/** Everything up to the first row. `since` is when it begins, where no date was asked for. */
export function ofxHead(
  account: OfxAccount,
  period: OfxPeriod,
  { now, since }: { now: Date; since: Date },
): string {
  const { startDate = since, timeZone = 'UTC' } = period;
  const status = ['<STATUS>', '<CODE>0', '<SEVERITY>INFO', '</STATUS>'];
  const server = [`<DTSERVER>${timeOf(now, timeZone)}`, '<LANGUAGE>POR'];
  const signOn = ['<SIGNONMSGSRSV1>', '<SONRS>', ...status, ...server, '</SONRS>', '</SIGNONMSGSRSV1>'];
  const range = [`<DTSTART>${timeOf(startDate, timeZone)}`, `<DTEND>${timeOf(endOf(period, now), timeZone)}`];
  const response = ['<BANKMSGSRSV1>', '<STMTTRNRS>', '<TRNUID>0', ...status, '<STMTRS>', '<CURDEF>BRL'];
  return HEADER + lines(['<OFX>', ...signOn, ...response, ...from(account), '<BANKTRANLIST>', ...range]);
}

export function ofxRows(rows: readonly NamedTransaction[], timeZone: TimeZone = 'UTC'): string {
  return rows.map((row) => lines(rowOf(row, timeZone))).join('');
}

/** The balance at the end of the period, and what is still open. */
export function ofxTail(balance: Cents, period: OfxPeriod, now: Date): string {
  const asOf = `<DTASOF>${timeOf(endOf(period, now), period.timeZone ?? 'UTC')}`;
  const held = ['<LEDGERBAL>', `<BALAMT>${decimal(balance)}`, asOf, '</LEDGERBAL>'];
  return lines(['</BANKTRANLIST>', ...held, '</STMTRS>', '</STMTTRNRS>', '</BANKMSGSRSV1>', '</OFX>']);
}

/** The account's number has at most 22 characters: the merchant's id in base64. It is of no bank. */
function from({ merchantId, environment }: OfxAccount): string[] {
  const number = Buffer.from(merchantId.replaceAll('-', ''), 'hex').toString('base64url');
  const account = ['<BANKID>0000', `<BRANCHID>${environment}`, `<ACCTID>${number}`, '<ACCTTYPE>CHECKING'];
  return ['<BANKACCTFROM>', ...account, '</BANKACCTFROM>'];
}

function rowOf(row: NamedTransaction, timeZone: TimeZone): string[] {
  const { id, type, amount, description, createdAt, externalId, endToEndId, refundId, disputeOutcome } = row;
  // Descriptions of charges and of refused refunds hold the number already.
  const names = [externalId, refundId].filter((name) => name !== null && !description.includes(name));
  const outcome = disputeOutcome ? [`(${disputeOutcomeWords[disputeOutcome].toLowerCase()})`] : [];
  return [
    '<STMTTRN>',
    `<TRNTYPE>${ofxType(row)}`,
    `<DTPOSTED>${timeOf(createdAt, timeZone)}`,
    `<TRNAMT>${decimal(amount)}`,
    `<FITID>${id}`,
    ...(endToEndId ? [`<REFNUM>${text(endToEndId, 32)}`] : []),
    `<NAME>${text(transactionWords[type], 32)}`,
    `<MEMO>${text([description, ...names, ...outcome].join(' '), 255)}`,
    '</STMTTRN>',
  ];
}

function ofxType({ type, amount }: NamedTransaction): string {
  if (type === 'WITHDRAWAL') return 'XFER';
  if (amount > 0) return 'CREDIT';
  return type === 'FEE' ? 'FEE' : 'DEBIT';
}

/** What Windows-1252 has of a text in one line, with the three signs of SGML escaped. */
function text(value: string, length: number): string {
  const signs = { '&': '&amp;', '<': '&lt;', '>': '&gt;' } as const;
  const shown = windows1252Text(value).trim().slice(0, length);
  return shown.replace(/&/g, signs['&']).replace(/</g, signs['<']).replace(/>/g, signs['>']);
}

function endOf({ endDate }: OfxPeriod, now: Date): Date {
  return endDate ? new Date(endDate.getTime() - 1) : now;
}

const zoneNames: Record<string, string> = {
  '-02': '-2:FNT',
  '-03': '-3:BRT',
  '-04': '-4:AMT',
  '-05': '-5:ACT',
};

/** `20261121090000.000[-3:BRT]` */
function timeOf(instant: Date, timeZone: TimeZone): string {
  const local = inZone(instant, timeZone);
  const offset = local.slice(-'-03:00'.length, -':00'.length);
  return `${local.slice(0, '2026-11-21T09:00:00.000'.length).replace(/[-T:]/g, '')}[${zoneNames[offset] ?? '0:GMT'}]`;
}

function decimal(amount: Cents): string {
  return `${amount < 0 ? '-' : ''}${toDecimal(Math.abs(amount))}`;
}

function lines(parts: readonly string[]): string {
  return parts.map((part) => `${part}\r\n`).join('');
}
