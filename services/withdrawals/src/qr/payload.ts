import { addDays, BANK_TIME_ZONE, type Cents, isBankDay, readDecimal, startOfDay } from '@plataforma/kernel';
import { z } from 'zod';
import { parseJson } from './jws.ts';
import { invalidCode } from './refusals.ts';

const DEFAULT_LIFE_SECONDS = 86_400;
const DEFAULT_DAYS_AFTER_DUE = 30;
const MAX_DAYS = 100_000;

/**
 * Banks send numbers as JSON numbers or as text. An amount may have a decimal point, a decimal comma or no
 * cents.
 */
const number = z.union([z.string().trim(), z.number().transform(String)]);
const whole = number.refine((value) => /^\d{1,10}$/.test(value)).transform(Number);
const decimal = number.transform((value, context): Cents => {
  const cents = readDecimal(value.replace(',', '.'));
  if (cents === null) context.addIssue('is no amount');
  return cents ?? 0;
});

function optional<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => value ?? undefined, schema.optional());
}

const instant = z
  .string()
  // A time without an offset is UTC, as everywhere in API Pix.
  .transform((value) => new Date(/(Z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value}Z`))
  .refine((value) => !Number.isNaN(value.getTime()));

/** The fields of CobPayload and CobVPayload (API Pix 2.9.0) that a payment needs. */
const charge = z.object({
  txid: z.string().regex(/^[a-zA-Z0-9]{1,35}$/),
  status: z.string(),
  chave: z.string().trim().min(1),
  calendario: z.union([
    z.object({
      dataDeVencimento: z.iso.date(),
      validadeAposVencimento: optional(whole.pipe(z.number().max(MAX_DAYS))),
    }),
    z.object({
      dataDeVencimento: z.null().optional(),
      criacao: instant,
      expiracao: optional(whole),
    }),
  ]),
  valor: z.object({
    original: decimal,
    final: optional(decimal),
    modalidadeAlteracao: optional(whole),
    retirada: optional(z.unknown()),
  }),
});

type Charge = z.infer<typeof charge>;

export interface PayableCharge {
  txid: string;
  pixKey: string;
  /** The amount in cents, or 0 if the payer chooses the amount. */
  amount: Cents;
}

/**
 * Returns the charge in a payload whose signature is verified. Throws INVALID_QR_CODE if the charge cannot be
 * paid now.
 */
export function readPayload(payload: Buffer, now: Date): PayableCharge {
  const result = charge.safeParse(parseJson(payload));
  if (!result.success) throw invalidCode('the charge behind the code is unreadable');
  const { txid, status, chave, calendario, valor } = result.data;
  if (status !== 'ATIVA') throw invalidCode(reasonOf(status));
  if (now >= endOf(calendario)) throw invalidCode('the charge behind the code has expired');
  if (valor.retirada !== undefined) throw handsOutCash();
  return { txid, pixKey: chave, amount: amountOf(valor) };
}

/**
 * Returns the error for Pix Saque and Pix Troco, payments for which a shop hands out cash. A withdrawal has
 * no person who takes the cash.
 */
export function handsOutCash(): Error {
  return invalidCode('the code hands out cash at a counter, which a withdrawal can’t do');
}

function reasonOf(status: string): string {
  if (status === 'CONCLUIDA') return 'the charge behind the code was paid already';
  return status.startsWith('REMOVIDA')
    ? 'the issuer of the charge behind the code removed it'
    : 'the charge behind the code is not open for payment';
}

function endOf(calendar: Charge['calendario']): Date {
  if (!('criacao' in calendar)) {
    const { dataDeVencimento, validadeAposVencimento = DEFAULT_DAYS_AFTER_DUE } = calendar;
    return endOfPayment(dataDeVencimento, validadeAposVencimento);
  }
  const { criacao, expiracao = DEFAULT_LIFE_SECONDS } = calendar;
  return new Date(criacao.getTime() + expiracao * 1000);
}

/**
 * Returns the end of the last day of payment (API Pix 2.9.0, CobDataDeVencimento). If the due day or the last
 * day is not a bank day, the next bank day counts.
 */
function endOfPayment(dueDay: string, daysAfter: number): Date {
  const last = nextBankDay(addDays(nextBankDay(dueDay), daysAfter));
  return startOfDay(addDays(last, 1), BANK_TIME_ZONE);
}

function nextBankDay(day: string): string {
  return isBankDay(day) ? day : nextBankDay(addDays(day, 1));
}

/** Returns the amount to pay. `final` includes interest, fines and discounts. */
function amountOf({ original, final, modalidadeAlteracao }: Charge['valor']): Cents {
  const amount = final ?? original;
  if (amount === 0 && modalidadeAlteracao !== 1)
    throw invalidCode('the charge behind the code asks for no money');
  return amount;
}
