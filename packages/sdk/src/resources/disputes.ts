import type { Methods } from '../methods.ts';

export type Disputes = ReturnType<typeof disputesOf>;
export type Files = ReturnType<typeof filesOf>;

export const disputesOf = (to: Methods) => ({
  list: to.list('GET /v1/disputes'),
  listCsv: to.file('GET /v1/disputes', 'text/csv'),
  get: to.withId('GET /v1/disputes/:id'),
  sendEvidence: to.withIdAndBody('POST /v1/disputes/:id/evidence', 'keyed'),
});

export const filesOf = (to: Methods) => ({
  create: to.withBody('POST /v1/files', 'keyed'),
  get: to.withId('GET /v1/files/:id'),
  download: to.fileOfId('GET /v1/files/:id', 'application/octet-stream'),
  delete: to.withId('DELETE /v1/files/:id'),
});
