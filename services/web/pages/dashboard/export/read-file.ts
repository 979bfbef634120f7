import { ApiError, ConnectionError, environment, OWN_HEADERS } from '../../shared/api.ts';

/** Formats of files that the API returns in place of JSON. */
export type FileType = 'text/csv' | 'application/x-ofx' | 'application/octet-stream';

/**
 * Reads a resource of the API as a file. The file of a list contains all pages of the list. Reports the size
 * after each piece, because the size of the whole file is unknown until its end.
 */
export async function readFile(
  path: string,
  query: Record<string, string | number | undefined>,
  accept: FileType,
  onProgress?: (bytes: number) => void,
): Promise<Blob> {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  const headers = { ...OWN_HEADERS, accept, 'x-environment': environment };
  const response = await fetch(`/api${path}?${new URLSearchParams(given)}`, { headers }).catch((cause) => {
    throw new ConnectionError(cause);
  });
  if (response.ok) {
    const pieces = onProgress ? response.body?.pipeThrough(counted(onProgress)) : response.body;
    return new Response(pieces, { headers: { 'content-type': accept } }).blob();
  }
  throw new ApiError({
    code: response.status === 401 ? 'UNAUTHORIZED' : 'INTERNAL_ERROR',
    status: response.status,
    message: response.statusText,
    reason: null,
    requestId: response.headers.get('x-request-id'),
    retryAfter: null,
  });
}

function counted(onProgress: (bytes: number) => void) {
  let bytes = 0;
  return new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, pieces) {
      bytes += piece.byteLength;
      onProgress(bytes);
      pieces.enqueue(piece);
    },
  });
}

export function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
