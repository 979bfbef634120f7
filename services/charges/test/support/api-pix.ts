import { z } from 'zod';

/**
 * The schemas of BACEN's API Pix 2.9.0 for the body of /cob/{txid} (CobSolicitada, CobRevisada, PessoaFisica,
 * PessoaJuridica, CobExpiracao, CobValor). Lengths count characters. An unknown field is an error.
 */
const ofLength = (max: number) =>
  z
    .string()
    .refine((text) => text.isWellFormed() && [...text].length <= max, `is longer than ${max}, or broken`);

const nome = ofLength(200).min(1);
const INT32 = 2_147_483_647;

export const cobSolicitada = z.strictObject({
  calendario: z.strictObject({ expiracao: z.int().min(1).max(INT32) }),
  devedor: z
    .union([
      z.strictObject({ cpf: z.string().regex(/^\d{11}$/), nome }),
      z.strictObject({ cnpj: z.string().regex(/^[0-9A-Z]{14}$/), nome }),
    ])
    .optional(),
  valor: z.strictObject({
    original: z.string().regex(/^\d{1,10}\.\d{2}$/),
    modalidadeAlteracao: z.int().min(0).max(1).optional(),
  }),
  chave: ofLength(77).min(1),
  solicitacaoPagador: ofLength(140).optional(),
  infoAdicionais: z
    .array(z.strictObject({ nome: ofLength(50), valor: ofLength(200) }))
    .max(50)
    .optional(),
});

export type CobSolicitada = z.infer<typeof cobSolicitada>;

/**
 * The body of a request that removes a charge. API Pix refuses the request if the body has any other field
 * (CobOperacaoInvalida).
 */
export const cobRemovida = z.strictObject({ status: z.literal('REMOVIDA_PELO_USUARIO_RECEBEDOR') });

export const cobPath = /^\/v2\/cob\/([a-zA-Z0-9]{26,35})$/;

/** The body of a request to return money (DevolucaoSolicitada). */
export const devolucaoSolicitada = z.strictObject({
  valor: z.string().regex(/^\d{1,10}\.\d{2}$/),
  natureza: z.literal('ORIGINAL').optional(),
  descricao: ofLength(140).optional(),
});

export const devolucaoPath = /^\/v2\/pix\/(\w{1,64})\/devolucao\/([a-zA-Z0-9]{1,35})$/;
