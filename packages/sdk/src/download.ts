/** Sends the request and reads its answer. The request starts only with this call. */
export type ReadFile = <Read>(read: (response: Response) => Promise<Read>) => Promise<Read>;

/** A file of the API. The request starts only when one of these methods is called. */
export class Download {
  readonly #read: ReadFile;

  constructor(read: ReadFile) {
    this.#read = read;
  }

  /** Returns the complete file as UTF-8 text. */
  text(): Promise<string> {
    return this.#read((response) => response.text());
  }

  /** Returns the complete file as bytes. */
  bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#read(async (response) => new Uint8Array(await response.arrayBuffer()));
  }

  /**
   * Returns the answer once it has begun, for a file too large for memory. An interrupted body is not
   * retried.
   */
  response(): Promise<Response> {
    return this.#read(async (response) => response);
  }
}
