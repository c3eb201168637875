/** The key of an element reference in WebDriver's answers. https://w3c.github.io/webdriver/#elements */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
/** Calls `arguments[0]`, the text of a function, with the remaining arguments and reports the result. */
const CALLER = `
  const done = arguments[arguments.length - 1];
  const [, ...args] = [...arguments].slice(0, -1);
  (async () => (SCRIPT)(...args))().then((value) => done({ value }), (error) => done({ error: String(error?.stack ?? error) }));
`;

interface Outcome {
  readonly value?: unknown;
  readonly error?: string;
}

/** An error answer of the driver. */
class WebDriverError extends Error {}

/** A WebDriver client: one session with one browser, one command at a time. https://w3c.github.io/webdriver/ */
export class WebDriver {
  readonly #origin: string;
  #path = '';
  #turn: Promise<unknown> = Promise.resolve();
  #window = '';
  /** The session's first window. It stays open so that others can be opened and closed. */
  #first = '';

  constructor(port: number) {
    this.#origin = `http://127.0.0.1:${port}`;
  }

  /** Starts the browser that the capabilities describe. */
  async open(capabilities: object): Promise<void> {
    const { sessionId } = await this.#send<{ sessionId: string }>('POST', '/session', {
      capabilities: { alwaysMatch: capabilities },
    });
    this.#path = `/session/${sessionId}`;
    this.#first = await this.#send<string>('GET', `${this.#path}/window`);
  }

  /** True if the driver is running and accepts a session. */
  async isReady(): Promise<boolean> {
    const status = await this.#send<{ ready: boolean }>('GET', '/status').catch(() => undefined);
    return status?.ready === true;
  }

  async newWindow(): Promise<string> {
    const { handle } = await this.to<{ handle: string }>(this.#first, '/window/new', { type: 'tab' });
    return handle;
  }

  /** Sends a command to a window, such as `/url` or `/back`. */
  to<T>(window: string, path: string, body: object = {}): Promise<T> {
    return this.#inTurn(async () => {
      await this.#choose(window);
      return this.#command<T>(path, body);
    });
  }

  closeWindow(window: string): Promise<void> {
    return this.#inTurn(async () => {
      await this.#choose(window);
      await this.#send('DELETE', `${this.#path}/window`);
      this.#window = '';
    });
  }

  /** Runs the text of a function in a window and awaits its result. */
  async run(window: string, script: string, args: readonly unknown[]): Promise<unknown> {
    const body = { script: CALLER.replace('SCRIPT', () => script), args: [null, ...args] };
    const { value, error } = await this.to<Outcome>(window, '/execute/async', body);
    if (error !== undefined) throw new Error(error);
    return value;
  }

  /** The id of an element that a script returned. Undefined for anything else. */
  static elementOf(value: unknown): string | undefined {
    return (value as Record<string, string> | null | undefined)?.[ELEMENT];
  }

  async #choose(window: string): Promise<void> {
    if (this.#window === window) return;
    await this.#command('/window', { handle: window });
    this.#window = window;
  }

  #command<T>(path: string, body: object): Promise<T> {
    return this.#send<T>('POST', this.#path + path, body);
  }

  /** Runs commands in sequence: they apply to the selected window, so commands to two windows must not interleave. */
  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(act);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #send<T>(method: string, path: string, body?: object): Promise<T> {
    const signal = AbortSignal.timeout(60_000);
    const answer = await fetch(this.#origin + path, { method, body: body ? JSON.stringify(body) : null, signal });
    const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } };
    if (!answer.ok) throw new WebDriverError(`${path}: ${value.error} ${value.message}`);
    return value;
  }
}
