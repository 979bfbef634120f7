/**
 * A function that sends the request for a file and returns the result of `read` for the response. No request
 * is sent before the function is called.
 */
export type ReadFile = <Read>(read: (response: Response) => Promise<Read>) => Promise<Read>;

/** A file of the API. The SDK sends the request only when a method of this object is called. */
export class Download {
  readonly #read: ReadFile;

  constructor(read: ReadFile) {
    this.#read = read;
  }

  /** Returns the complete file as UTF-8 text. */
  text(): Promise<string> {
    return this.#read((response) => response.text());
  }

  bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#read(async (response) => new Uint8Array(await response.arrayBuffer()));
  }

  /**
   * Returns the response as soon as its headers arrive, for a file too large for memory. The SDK does not
   * retry when the body is interrupted.
   */
  response(): Promise<Response> {
    return this.#read(async (response) => response);
  }
}
