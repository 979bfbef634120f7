import { setTimeout as sleep } from 'node:timers/promises';
import { fromDecimal } from '@plataforma/kernel';
import type { IRouter, Request } from 'express';
import { z } from 'zod';
import type { SandboxPspDependencies } from '../dependencies.ts';
import { GnProblem } from '../domain/gn-problem.ts';
import { DOWN_KEY, keyOwnerOf, SLOW_KEY } from '../domain/key-owner.ts';
import { isPayoutId, isRegisteredKey, orderedPayoutOf, sentPixOf } from '../domain/payout.ts';
import { createPayout, duplicateId } from '../operations/create-payout.ts';
import { findPayout } from '../store/payouts.ts';
import { clientOf } from './authenticate.ts';
import { text } from './fields.ts';
import { checkedByGn } from './gn-errors.ts';
import { underFaults } from './under-faults.ts';

const key = text(77).refine((given) => given.length > 0);

const payoutBody = z.strictObject({
  valor: z.string(),
  pagador: z.strictObject({ chave: key, infoPagador: text(140).optional() }),
  favorecido: z.strictObject({ chave: key }),
});

const keyBody = z.strictObject({ chave: key });

type Named = { idEnvio: string };

/**
 * Adds the routes of payouts in Efí's format, because the central bank (BACEN) has no standard for payouts.
 */
export function payoutRoutes(router: IRouter, { database, clients, slowMs }: SandboxPspDependencies): void {
  const serve = underFaults({ database, clients }, clientOf);
  const create = serve('payout.create', async (req: Request<Named>, client) => {
    const { idEnvio: id } = req.params;
    if (!isPayoutId(id)) throw new GnProblem('requisicao_invalida', 'Campos inválidos: idEnvio.');
    // The id is checked before the body, so that an order with a used id gets `id_envio_duplicado` even if
    // its body is invalid.
    if (await findPayout(database, client.id, id)) throw duplicateId();
    const payout = await createPayout(database, { client, id, ...readPayout(req.body), now: new Date() });
    return { status: 201, body: orderedPayoutOf(payout) };
  });
  router.put('/v3/gn/pix/:idEnvio', create);

  const read = serve('payout.read', async (req: Request<Named>, { id: clientId }) => {
    const { idEnvio } = req.params;
    const payout = isPayoutId(idEnvio) ? await findPayout(database, clientId, idEnvio) : undefined;
    if (!payout) throw new GnProblem('envio_nao_encontrado', 'Não há Pix enviado com este idEnvio.');
    return { status: 200, body: sentPixOf(payout) };
  });
  router.get('/v2/gn/pix/enviados/id-envio/:idEnvio', read);

  const readOwner = serve('payout.recipient', async (req: Request) => {
    const { chave } = checkedByGn(keyBody, req.body ?? {});
    if (chave === DOWN_KEY) throw new GnProblem('servico_indisponivel', 'Tente novamente em instantes.');
    if (chave === SLOW_KEY) await sleep(slowMs);
    if (!isRegisteredKey(chave)) throw new GnProblem('chave_nao_encontrada', 'A chave não existe.');
    return { status: 200, body: keyOwnerOf(chave) };
  });
  router.post('/v2/gn/pix/consulta-chave', readOwner);
}

function readPayout(body: unknown) {
  const { valor, pagador, favorecido } = checkedByGn(payoutBody, body ?? {});
  const amount = fromDecimal(valor);
  if (!amount)
    throw new GnProblem('valor_invalido', 'O campo valor deve ser maior que zero, com dois decimais.');
  return { amount, payerKey: pagador.chave, payeeKey: favorecido.chave, note: pagador.infoPagador ?? null };
}
