import { z } from 'zod';

/**
 * Schemas of the answers of BACEN's API Pix 2.9.0 (openapi.yaml, Apache-2.0) that this provider gives. They
 * are strict, so that a field which BACEN has not published fails the test.
 */
const txid = z.string().regex(/^[a-zA-Z0-9]{26,35}$/);
const amount = z.string().regex(/^\d{1,10}\.\d{2}$/);
const moment = z.iso.datetime({ offset: true });
const location = z.string().max(77);
const chave = z.string().max(77);
const int32 = z.int().max(2_147_483_647);
const nome = z.string().max(200);

const devedor = z.union([
  z.strictObject({ cpf: z.string().regex(/^\d{11}$/), nome }),
  z.strictObject({ cnpj: z.string().regex(/^[0-9A-Z]{14}$/), nome }),
]);
const status = z.enum(['ATIVA', 'CONCLUIDA', 'REMOVIDA_PELO_USUARIO_RECEBEDOR', 'REMOVIDA_PELO_PSP']);

export const devolucao = z.strictObject({
  id: z.string().regex(/^[a-zA-Z0-9]{1,35}$/),
  rtrId: z.string().regex(/^[a-zA-Z0-9]{32}$/),
  valor: amount,
  natureza: z.enum(['ORIGINAL', 'RETIRADA', 'MED_OPERACIONAL', 'MED_FRAUDE']).optional(),
  descricao: z.string().max(140).optional(),
  horario: z.strictObject({ solicitacao: moment, liquidacao: moment.optional() }),
  status: z.enum(['EM_PROCESSAMENTO', 'DEVOLVIDO', 'NAO_REALIZADO']),
  motivo: z.string().max(140).optional(),
});

export const pix = z.strictObject({
  endToEndId: z.string().regex(/^[a-zA-Z0-9]{32}$/),
  txid: z
    .string()
    .regex(/^[a-zA-Z0-9]{1,35}$/)
    .optional(),
  valor: amount,
  chave: chave.optional(),
  horario: moment,
  infoPagador: z.string().max(140).optional(),
  devolucoes: z.array(devolucao).min(1).optional(),
});

const fields = {
  txid,
  revisao: int32.min(0),
  status,
  devedor: devedor.optional(),
  valor: z.strictObject({ original: amount }),
  chave,
  solicitacaoPagador: z.string().max(140).optional(),
};

export const cobGerada = z.strictObject({
  ...fields,
  calendario: z.strictObject({ criacao: moment, expiracao: int32.min(1) }),
  loc: z.strictObject({ id: z.int(), txid, location, tipoCob: z.literal('cob'), criacao: moment }),
  location,
  pixCopiaECola: z.string().max(512),
});

export const cobCompleta = cobGerada.extend({ pix: z.array(pix).min(1).optional() });

export const cobPayload = z.strictObject({
  ...fields,
  calendario: z.strictObject({ criacao: moment, apresentacao: moment, expiracao: int32.min(1) }),
});

export const pixConsultados = z.strictObject({
  parametros: z.strictObject({
    inicio: moment,
    fim: moment,
    txid: z.string().optional(),
    paginacao: z.strictObject({
      paginaAtual: z.int().min(0),
      itensPorPagina: z.int().min(1),
      quantidadeDePaginas: z.int().min(1),
      quantidadeTotalDeItens: z.int().min(0),
    }),
  }),
  pix: z.array(pix),
});

export const webhookPix = z.strictObject({ pix: z.array(pix).min(1) });

export const problema = z.strictObject({
  type: z.string().regex(/^https:\/\/pix\.bcb\.gov\.br\/api\/v2\/error\/[A-Za-z]+$/),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
  correlationId: z.string().optional(),
  violacoes: z.array(z.strictObject({ razao: z.string(), propriedade: z.string() })).optional(),
});

/** The schema of a response with an access token (RFC 6749 §5.1). */
export const token = z.strictObject({
  access_token: z.string().min(1),
  token_type: z.literal('Bearer'),
  expires_in: z.literal(3600),
  scope: z.string(),
});
