import { z } from 'zod';

/** Schemas of the answers and callbacks of Efí's API that this provider uses. */
const moment = z.iso.datetime();
const valor = z.string().regex(/^\d{1,10}\.\d{2}$/);
const endToEndId = z.string().regex(/^E\d{20}[a-zA-Z0-9]{11}$/);
const status = z.enum(['EM_PROCESSAMENTO', 'REALIZADO', 'NAO_REALIZADO']);
const horario = z.strictObject({ solicitacao: moment, liquidacao: moment.optional() });

export const orderedPayout = z.strictObject({
  idEnvio: z.string(),
  e2eId: endToEndId,
  valor,
  horario: z.strictObject({ solicitacao: moment }),
  status: z.literal('EM_PROCESSAMENTO'),
});
export const sentPix = z.strictObject({
  idEnvio: z.string(),
  endToEndId,
  valor,
  chave: z.string(),
  favorecido: z.strictObject({
    chave: z.string(),
    identificacao: z.strictObject({ nome: z.string().min(1), cpf: z.string().regex(/^\*{3}/) }),
  }),
  status,
  horario,
  motivo: z.string().optional(),
});
export const callbackPayout = z.strictObject({
  pix: z.tuple([
    z.strictObject({
      endToEndId,
      valor,
      chave: z.string(),
      horario: horario.nullable(),
      tipo: z.literal('SOLICITACAO'),
      status,
      gnExtras: z.strictObject({
        idEnvio: z.string(),
        erro: z.strictObject({ codigo: z.string(), origem: z.string(), motivo: z.string() }).optional(),
      }),
    }),
  ]),
});
