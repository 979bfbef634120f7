import { api } from '@plataforma/contracts';
import {
  createBulkhead,
  type Router,
  serve,
  serveFile,
  serveIdempotent,
  serveOperator,
  serveOperatorFile,
} from '@plataforma/http';
import type { ChargesDependencies } from '../../dependencies.ts';
import type { EvidenceFile } from '../domain/evidence-file.ts';
import { addFile } from '../operations/add-file.ts';
import { deleteFile } from '../operations/delete-file.ts';
import { getAnyFile, getFile, openFile } from '../store/dispute-files.ts';
import { fileView } from './dispute-view.ts';

/** Serves the evidence files of disputes. A request adds, deletes or downloads one file. */
export function fileRoutes(router: Router, dependencies: ChargesDependencies): void {
  const { verifier, database } = dependencies;
  // Merchants and operators have separate slots, so that downloads of merchants delay no operator.
  const [writing, inspecting] = [createBulkhead('evidence'), createBulkhead('inspectedEvidence')];
  const bytesOf = ({ id, name }: EvidenceFile) => ({
    name,
    chunks: inOnePiece(() => openFile(dependencies, id)),
  });

  serveIdempotent(router, api.createFile, {
    verifier,
    database,
    work: async ({ body: { disputeId, file } }, tenant, { saveResponse }) => {
      const bytes = Buffer.from(await file.arrayBuffer());
      return addFile(dependencies, { tenant, disputeId, name: file.name, bytes }, saveResponse);
    },
    show: fileAnswer,
  });
  serveFile(router, api.getFile, {
    type: 'application/octet-stream',
    verifier,
    writing,
    file: async (_query, merchant, { id }) => bytesOf(await getFile(database, merchant, id)),
  });
  serve(router, api.getFile, {
    verifier,
    answer: async ({ params }, merchant) => fileAnswer(await getFile(database, merchant, params.id)),
  });
  serve(router, api.deleteFile, {
    verifier,
    answer: async ({ params }, merchant) => {
      await deleteFile(dependencies, merchant, params.id);
      return { data: { message: 'the file is deleted' } };
    },
  });
  serveOperatorFile(router, api.inspectFile, {
    type: 'application/octet-stream',
    verifier,
    writing: inspecting,
    file: async (_query, _operator, { id }) => bytesOf(await getAnyFile(database, id)),
  });
  serveOperator(router, api.inspectFile, {
    verifier,
    answer: async ({ params }) => fileAnswer(await getAnyFile(database, params.id)),
  });
}

/** Yields a file only as a whole, because the check that its bytes are unchanged needs the last byte. */
async function* inOnePiece(open: () => Promise<Buffer>) {
  yield await open();
}

function fileAnswer(file: EvidenceFile) {
  return { data: fileView(file) };
}
