import { api } from '@plataforma/contracts';
import type { Database, SecretBox } from '@plataforma/data';
import {
  createBulkhead,
  type Router,
  serve,
  serveFile,
  serveOnce,
  serveOperator,
  serveOperatorFile,
  type Verifier,
} from '@plataforma/http';
import type { Clock } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { type EvidenceFile, noSuchFile } from '../domain/evidence-file.ts';
import type { FileQuotas } from '../domain/file-quota.ts';
import { addFile } from '../operations/add-file.ts';
import { deleteFile } from '../operations/delete-file.ts';
import { findAnyFile, findFile, openFile } from '../store/dispute-files.ts';
import { fileView } from './dispute-view.ts';

export interface FileRoutes {
  verifier: Verifier;
  database: Database;
  clock: Clock;
  fileBox: SecretBox | null;
  fileQuotas: FileQuotas;
  log: Log;
}

/** The files of the evidence: each is added and deleted by itself, and read as a download only. */
export function fileRoutes(router: Router, parts: FileRoutes): void {
  const { verifier, database } = parts;
  // What merchants read takes no slot of an operator who is to decide.
  const [writing, inspecting] = [createBulkhead('evidence'), createBulkhead('inspectedEvidence')];
  const found = async (file: Promise<EvidenceFile | null>) => {
    const known = await file;
    if (!known) throw noSuchFile();
    return known;
  };
  const bytesOf = async ({ id, name }: EvidenceFile) => ({
    name,
    chunks: inOnePiece(await openFile(parts, id)),
  });

  serveOnce(router, api.createFile, {
    verifier,
    database,
    work: async ({ body: { disputeId, file } }, tenant, { keep }) => {
      const bytes = Buffer.from(await file.arrayBuffer());
      return addFile(parts, { tenant, disputeId, name: file.name, bytes }, keep);
    },
    show: fileAnswer,
  });
  serveFile(router, api.getFile, {
    type: 'application/octet-stream',
    verifier,
    writing,
    file: async (_query, merchant, { id }) => bytesOf(await found(findFile(database, merchant, id))),
  });
  serve(router, api.getFile, {
    verifier,
    answer: async ({ params }, merchant) => fileAnswer(await found(findFile(database, merchant, params.id))),
  });
  serve(router, api.deleteFile, {
    verifier,
    answer: async ({ params }, merchant) => {
      await deleteFile(parts, merchant, params.id);
      return { data: { message: 'the file is deleted' } };
    },
  });
  serveOperatorFile(router, api.inspectFile, {
    type: 'application/octet-stream',
    verifier,
    writing: inspecting,
    file: async (_query, _operator, { id }) => bytesOf(await found(findAnyFile(database, id))),
  });
  serveOperator(router, api.inspectFile, {
    verifier,
    answer: async ({ params }) => fileAnswer(await found(findAnyFile(database, params.id))),
  });
}

async function* inOnePiece(bytes: Buffer) {
  yield bytes;
}

function fileAnswer(file: EvidenceFile) {
  return { data: fileView(file) };
}
