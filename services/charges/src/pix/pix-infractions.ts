import { type Cents, visibleLine } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { z } from 'zod';
import { amount, endToEndId, instant, txid } from './pix-fields.ts';
import type { PixHttp } from './pix-http.ts';
import type { createPixPages, Period } from './pix-pages.ts';
import { unusable } from './pix-problem.ts';

/** A report of a payer's bank that contests a received Pix (MED). */
export interface Infraction {
  id: string;
  endToEndId: string;
  txid: string | null;
  amount: Cents;
  reason: string;
  description: string;
  isOpen: boolean;
  /** The latest time at which the provider accepts a defense. */
  deadline: Date;
  createdAt: Date;
}

/**
 * The merchant's defense against an infraction. `documents` are URLs of the platform or the merchant that the
 * provider may read.
 */
export interface Defense {
  description: string;
  documents: string[];
  /** Ids of the evidence files that the provider has accepted. */
  fileIds: readonly string[];
}

export interface DefenseFile {
  /** The platform's id of the file. When a file is sent twice, the provider stores it only once. */
  id: string;
  name: string;
  type: string;
  content: Buffer;
}

const PATH = '/v2/gn/infracoes';
/**
 * The only status of a closed infraction. An infraction with any other status, also an unknown status, is
 * open.
 */
const CLOSED = 'ENCERRADA';
const TAKEN = new Set([200, 201, 202, 204]);
/**
 * After these statuses, a retry may succeed. After any other 4xx, the provider refuses this file, or accepts
 * no files at all (404, 405).
 */
const ASK_AGAIN = new Set([401, 403, 408, 429]);

const text = z
  .string()
  .nullish()
  .transform((written) => visibleLine(written ?? ''));

const infracao = z
  .object({
    idInfracao: z.union([z.string().min(1).max(64), z.int().transform(String)]),
    endToEndId,
    txid,
    valor: amount,
    motivo: text,
    descricao: text,
    status: z.string(),
    prazo: instant,
    criacao: instant,
  })
  .transform(
    (each): Infraction => ({
      id: each.idInfracao,
      endToEndId: each.endToEndId,
      txid: each.txid,
      amount: each.valor,
      reason: each.motivo,
      description: each.descricao,
      isOpen: each.status !== CLOSED,
      deadline: each.prazo,
      createdAt: each.criacao,
    }),
  );

/**
 * Reads infractions and sends defenses. API Pix does not define infractions, so the paths are those of one
 * provider that has published its paths.
 */
export function createPixInfractions(http: PixHttp, pages: ReturnType<typeof createPixPages>, log: Log) {
  return {
    async findInfraction(id: string): Promise<Infraction | null> {
      const answer = await http.send({ method: 'GET', path: pathOf(id) });
      if (answer.status === 404) return null;
      if (answer.status !== 200) throw unusable(`answered ${answer.status} when asked for an infraction`);
      const result = infracao.safeParse(answer.body);
      if (!result.success) throw unusable('answered an infraction of an unknown shape');
      if (result.data.id !== id) throw unusable('answered another infraction than the one asked for');
      return result.data;
    },
    listInfractions: (period: Period): AsyncIterable<Infraction[]> =>
      pages({ path: PATH, period, field: 'infracoes', item: infracao, isOptional: true }),
    async sendDefenseFile(id: string, file: DefenseFile): Promise<boolean> {
      const body = { nome: file.name, tipo: file.type, conteudo: file.content.toString('base64') };
      const path = `${pathOf(id)}/arquivos/${encodeURIComponent(file.id)}`;
      const { status } = await http.send({ method: 'PUT', path, body });
      if (TAKEN.has(status)) return true;
      const isRefused = status >= 400 && status < 500 && !ASK_AGAIN.has(status);
      if (!isRefused) throw unusable(`answered ${status} when sent a file of a defense`);
      log.warn({ infractionId: id, fileId: file.id, status }, 'defense file refused by the Pix provider');
      return false;
    },
    async sendDefense(id: string, { description, documents, fileIds }: Defense): Promise<void> {
      const files = fileIds.length > 0 ? { arquivos: fileIds } : {};
      const body = { descricao: description, documentos: documents, ...files };
      const answer = await http.send({ method: 'POST', path: `${pathOf(id)}/defesa`, body });
      if (!TAKEN.has(answer.status)) throw unusable(`answered ${answer.status} when sent a defense`);
    },
  };
}

function pathOf(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`;
}
