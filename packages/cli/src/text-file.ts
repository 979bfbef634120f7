/**
 * Decodes a text file in UTF-8 or UTF-16 and removes its byte order mark. PowerShell writes UTF-16, and some
 * editors put the mark before UTF-8.
 */
export function decoded(bytes: Uint8Array): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(bytes);
}

export function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
