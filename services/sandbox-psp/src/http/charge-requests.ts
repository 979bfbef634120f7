import { z } from 'zod';
import type { ChargeRequest } from '../domain/charge.ts';
import type { ChargePatch } from '../operations/patch-charge.ts';
import { checked } from './checked.ts';
import { decimal, text } from './fields.ts';

const DEFAULT_EXPIRY_SECONDS = 86_400;
const MAX_INT32 = 2_147_483_647;

const nome = text(200);
const person = z.strictObject({ cpf: z.string().regex(/^\d{11}$/), nome });
const company = z.strictObject({ cnpj: z.string().regex(/^[0-9A-Z]{14}$/), nome });

/**
 * The supported fields of CobSolicitada. A request with any other field is refused, because the receiver
 * would expect an ignored field to have an effect.
 */
const fields = {
  calendario: z.strictObject({ expiracao: z.int().min(1).max(MAX_INT32).optional() }).optional(),
  valor: z.strictObject({ original: decimal }),
  chave: z.string().min(1).max(77),
  devedor: z.union([person, company]).optional(),
  solicitacaoPagador: text(140).optional(),
};

const chargeBody = z.strictObject(fields);
const patchBody = z
  .strictObject({ ...fields, status: z.literal('REMOVIDA_PELO_USUARIO_RECEBEDOR') })
  .partial()
  .refine(({ status, ...changes }) => status === undefined || Object.keys(changes).length === 0, {
    message: 'não pode vir junto com outras alterações',
    path: ['status'],
  });

/** Reads the body of PUT /cob/{txid} (CobSolicitada). */
export function readChargeRequest(body: unknown): ChargeRequest {
  const { calendario, valor, chave, devedor, solicitacaoPagador } = checked(
    chargeBody,
    body,
    'CobOperacaoInvalida',
  );
  return {
    amount: valor.original,
    pixKey: chave,
    debtor: devedor ? debtorOf(devedor) : null,
    payerRequest: solicitacaoPagador ?? null,
    expiresInSeconds: calendario?.expiracao ?? DEFAULT_EXPIRY_SECONDS,
  };
}

/**
 * Reads the body of PATCH /cob/{txid} (CobRevisada): either the removal of the charge, or the fields to
 * change.
 */
export function readPatch(body: unknown): ChargePatch {
  const { status, ...given } = checked(patchBody, body, 'CobOperacaoInvalida');
  if (status) return { isRemoval: true };
  const { calendario, valor, chave, devedor, solicitacaoPagador } = given;
  return {
    isRemoval: false,
    changes: {
      ...(valor && { amount: valor.original }),
      ...(chave !== undefined && { pixKey: chave }),
      ...(devedor && { debtor: debtorOf(devedor) }),
      ...(solicitacaoPagador !== undefined && { payerRequest: solicitacaoPagador }),
      ...(calendario?.expiracao !== undefined && { expiresInSeconds: calendario.expiracao }),
    },
  };
}

function debtorOf(devedor: z.infer<typeof person> | z.infer<typeof company>): ChargeRequest['debtor'] {
  return { document: 'cpf' in devedor ? devedor.cpf : devedor.cnpj, name: devedor.nome };
}
