import type { Database } from '@plataforma/data';
import { isUuid } from '@plataforma/kernel';
import type { IRouter } from 'express';
import { z } from 'zod';
import type { Clients } from '../domain/client.ts';
import { GnProblem } from '../domain/gn-problem.ts';
import { infracaoOf } from '../domain/infraction.ts';
import { defendInfraction } from '../operations/defend-infraction.ts';
import { findInfraction, listInfractions } from '../store/infractions.ts';
import { inSnapshot } from '../store/snapshot.ts';
import { clientOf } from './authenticate.ts';
import { text } from './fields.ts';
import { checkedByGn } from './gn-errors.ts';
import { isInOrder, outOfOrder, pageOf, pagingView, periodQuery } from './period.ts';

const PATH = '/v2/gn/infracoes';

const listQuery = periodQuery({}).refine(isInOrder, outOfOrder);
const defenseBody = z.strictObject({
  descricao: text(5_000).refine((given) => given.length > 0),
  documentos: z.array(text(2_048)).max(50).default([]),
});

/** What payers' banks have reported of Pix that came (MED). */
export function infractionRoutes(
  router: IRouter,
  { database, clients }: { database: Database; clients: Clients },
): void {
  router.get(PATH, async (req, res) => {
    const { id: clientId } = clientOf(req, clients);
    const query = checkedByGn(listQuery, req.query);
    const { inicio, fim } = query;
    const page = pageOf(query);
    const { infractions, total } = await inSnapshot(database, (tx) =>
      listInfractions(tx, { clientId, from: inicio, to: fim }, page),
    );
    const now = new Date();
    res.json({
      parametros: { inicio, fim, paginacao: pagingView(page, total) },
      infracoes: infractions.map((infraction) => infracaoOf(infraction, now)),
    });
  });

  router.get(`${PATH}/:id`, async (req, res) => {
    const { id: clientId } = clientOf(req, clients);
    const infraction = await findInfraction(database, clientId, knownId(req.params.id));
    if (!infraction) throw unknownInfraction();
    res.json(infracaoOf(infraction, new Date()));
  });

  router.post(`${PATH}/:id/defesa`, async (req, res) => {
    const { id: clientId } = clientOf(req, clients);
    const id = knownId(req.params.id);
    const { descricao: description, documentos: documents } = checkedByGn(defenseBody, req.body ?? {});
    const now = new Date();
    const defended = await defendInfraction(database, { clientId, id, description, documents, now });
    res.json(infracaoOf(defended, now));
  });
}

/** Text that can name no infraction finds none. */
function knownId(id: string): string {
  if (isUuid(id)) return id;
  throw unknownInfraction();
}

function unknownInfraction(): GnProblem {
  return new GnProblem('infracao_nao_encontrada', 'Não há infração com este id.');
}
