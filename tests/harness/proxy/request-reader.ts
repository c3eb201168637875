/** A request as received. `body` grows until `complete`. */
export interface WireRequest {
  /** Method and address, as in `POST /api/create-generator`. */
  readonly line: string;
  readonly headers: Headers;
  readonly body: Buffer;
  readonly complete: boolean;
}

interface Listener {
  /** The head has been read; the body may be incomplete. */
  begun(request: WireRequest): void;
  /** The whole request has been read. */
  ended(request: WireRequest): void;
}

class Reading implements WireRequest {
  readonly line: string;
  readonly headers: Headers;
  readonly #chunks: Buffer[] = [];
  missing: number;

  constructor(head: string) {
    const [first = '', ...lines] = head.split('\r\n');
    this.line = first.replace(/ HTTP\/1\.[01]$/, '');
    this.headers = new Headers(lines.map((line) => splitAt(line, ':')));
    this.missing = Number(this.headers.get('content-length') ?? 0);
  }

  get body(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  get complete(): boolean {
    return this.missing === 0;
  }

  /** Consumes the bytes of this request and returns the rest. */
  take(bytes: Buffer): Buffer {
    const own = bytes.subarray(0, this.missing);
    if (own.length > 0) this.#chunks.push(own);
    this.missing -= own.length;
    return bytes.subarray(own.length);
  }
}

/** Parses the requests in one connection's bytes. Supports only what browsers send (HTTP/1.1 with Content-Length). */
export class RequestReader {
  readonly #listener: Listener;
  #head = Buffer.alloc(0);
  #reading: Reading | undefined;

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  feed(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0)
      rest = this.#reading === undefined ? this.#readHead(rest) : this.#readBody(this.#reading, rest);
  }

  #readHead(bytes: Buffer): Buffer {
    const all = Buffer.concat([this.#head, bytes]);
    const end = all.indexOf('\r\n\r\n');
    this.#head = end < 0 ? all : Buffer.alloc(0);
    if (end < 0) return Buffer.alloc(0);
    const reading = new Reading(all.subarray(0, end).toString('latin1'));
    this.#listener.begun(reading);
    this.#reading = reading;
    this.#endIfComplete(reading);
    return all.subarray(end + 4);
  }

  #readBody(reading: Reading, bytes: Buffer): Buffer {
    const rest = reading.take(bytes);
    this.#endIfComplete(reading);
    return rest;
  }

  #endIfComplete(reading: Reading): void {
    if (!reading.complete) return;
    this.#reading = undefined;
    this.#listener.ended(reading);
  }
}

function splitAt(text: string, separator: string): [string, string] {
  const index = text.indexOf(separator);
  return [text.slice(0, index), text.slice(index + 1).trim()];
}
