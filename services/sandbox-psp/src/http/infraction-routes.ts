import { createHash } from 'node:crypto';
import { createSlots, readBody, whenClosed } from '@plataforma/http';
import { isUuid, Refusal } from '@plataforma/kernel';
import type { IRouter, RequestHandler } from 'express';
import { z } from 'zod';
import type { SandboxPspDependencies } from '../dependencies.ts';
import { GnProblem } from '../domain/gn-problem.ts';
import { infracaoOf } from '../domain/infraction.ts';
import { addDefenseFile } from '../operations/add-defense-file.ts';
import { defendInfraction } from '../operations/defend-infraction.ts';
import { findInfraction, listInfractions } from '../store/infractions.ts';
import { clientOf } from './authenticate.ts';
import { text } from './fields.ts';
import { checkedByGn } from './gn-errors.ts';
import { isInOrder, outOfOrder, pageOf, pagingView, periodQuery } from './period.ts';

const PATH = '/v2/gn/infracoes';

const listQuery = periodQuery({}).refine(isInOrder, outOfOrder);
const defenseBody = z.strictObject({
  descricao: text(5_000).refine((given) => given.length > 0),
  documentos: z.array(text(2_048)).max(50).default([]),
  arquivos: z.array(z.uuid()).max(50).default([]),
});

const MAX_FILE_BODY_BYTES = 4 * 1024 * 1024;
/**
 * The limits of concurrent file uploads, in total and for each client, because each file is read into memory.
 */
const SLOTS = { total: 8, perHolder: 4 };

const fileBody = z.strictObject({
  nome: text(255).refine((given) => given.length > 0),
  tipo: z.enum(['application/pdf', 'image/png', 'image/jpeg']),
  conteudo: z.base64().min(4),
});

/**
 * Adds the routes for files of a defense. The caller must add these routes before the parser for other
 * bodies, because a file may be larger than that parser allows.
 */
export function defenseFileRoutes(router: IRouter, { database, clients }: SandboxPspDependencies): void {
  const takeSlot = createSlots(SLOTS);
  const inSlot: RequestHandler = (req, res, next) => {
    const giveBack = takeSlot(clientOf(req, clients).id);
    if (!giveBack) throw new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'too many files are being sent');
    whenClosed(res, giveBack);
    next();
  };
  router.use(`${PATH}/:id/arquivos`, inSlot, readBody(MAX_FILE_BODY_BYTES));
  router.put(`${PATH}/:id/arquivos/:fileId`, async (req, res) => {
    const { id: clientId } = clientOf(req, clients);
    const id = requireId(req.params.id);
    const { nome: name, tipo: type, conteudo } = checkedByGn(fileBody, req.body ?? {});
    const bytes = Buffer.from(conteudo, 'base64');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const file = { id: requireId(req.params.fileId), name, type, size: bytes.length, sha256 };
    const saved = await addDefenseFile(database, { clientId, id, file, now: new Date() });
    res.json({ idArquivo: saved.id, nome: saved.name, tipo: saved.type, tamanho: saved.size });
  });
}

/**
 * Adds the routes with which the receiver reads infractions and sends its defense. An infraction is a dispute
 * by the payer's bank (MED).
 */
export function infractionRoutes(router: IRouter, { database, clients }: SandboxPspDependencies): void {
  router.get(PATH, async (req, res) => {
    const { id: clientId } = clientOf(req, clients);
    const query = checkedByGn(listQuery, req.query);
    const { inicio, fim } = query;
    const page = pageOf(query);
    const period = { clientId, from: inicio, to: fim };
    const { items, total } = await listInfractions(database, period, page);
    const now = new Date();
    res.json({
      parametros: { inicio, fim, paginacao: pagingView(page, total) },
      infracoes: items.map((infraction) => infracaoOf(infraction, now)),
    });
  });

  router.get(`${PATH}/:id`, async (req, res) => {
    const { id: clientId } = clientOf(req, clients);
    const infraction = await findInfraction(database, clientId, requireId(req.params.id));
    if (!infraction) throw unknownInfraction();
    res.json(infracaoOf(infraction, new Date()));
  });

  router.post(`${PATH}/:id/defesa`, async (req, res) => {
    const { id: clientId } = clientOf(req, clients);
    const id = requireId(req.params.id);
    const said = checkedByGn(defenseBody, req.body ?? {});
    const { descricao: description, documentos: documents, arquivos: fileIds } = said;
    const now = new Date();
    const words = { description, documents, fileIds };
    const defended = await defendInfraction(database, { clientId, id, ...words, now });
    res.json(infracaoOf(defended, now));
  });
}

/**
 * Throws `infracao_nao_encontrada` if the text is not a UUID, because the id of every infraction is a UUID.
 */
function requireId(id: string): string {
  if (isUuid(id)) return id;
  throw unknownInfraction();
}

function unknownInfraction(): GnProblem {
  return new GnProblem('infracao_nao_encontrada', 'Não há infração com este id.');
}
