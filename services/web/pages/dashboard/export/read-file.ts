import { ApiError, ConnectionError, environment, OWN_HEADERS } from '../../shared/api.ts';

/** Formats of files that the API returns in place of JSON. */
export type FileType = 'text/csv' | 'application/x-ofx' | 'application/octet-stream';

/** Reads a resource of the API as a file. The file of a list contains all pages of the list. */
export async function readFile(
  path: string,
  query: Record<string, string | number | undefined>,
  accept: FileType,
): Promise<Blob> {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  const headers = { ...OWN_HEADERS, accept, 'x-environment': environment };
  const response = await fetch(`/api${path}?${new URLSearchParams(given)}`, { headers }).catch((cause) => {
    throw new ConnectionError(cause);
  });
  if (response.ok) return response.blob();
  throw new ApiError({
    code: response.status === 401 ? 'UNAUTHORIZED' : 'INTERNAL_ERROR',
    status: response.status,
    message: response.statusText,
    reason: null,
    requestId: response.headers.get('x-request-id'),
    retryAfter: null,
  });
}

export function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
