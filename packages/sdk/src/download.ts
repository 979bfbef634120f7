/** Reads the answer of one call, which is made when the bytes are asked for. */
export type ReadFile = <Read>(read: (response: Response) => Promise<Read>) => Promise<Read>;

/** A file that the API answers: nothing is sent before one of these methods is called. */
export class Download {
  readonly #read: ReadFile;

  constructor(read: ReadFile) {
    this.#read = read;
  }

  /** All of it as text, in UTF-8. */
  text(): Promise<string> {
    return this.#read((response) => response.text());
  }

  /** All of it, as it came. */
  bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#read(async (response) => new Uint8Array(await response.arrayBuffer()));
  }

  /** The answer itself, once it has begun: for what is too large for memory. What breaks off is not read again. */
  response(): Promise<Response> {
    return this.#read(async (response) => response);
  }
}
