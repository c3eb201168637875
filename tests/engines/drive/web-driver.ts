/** What WebDriver calls an element in its answers. https://w3c.github.io/webdriver/#elements */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
/** Runs `arguments[0]`, a function's text, with the others, and tells its outcome. */
const CALLER = `
  const done = arguments[arguments.length - 1];
  const [, ...args] = [...arguments].slice(0, -1);
  (async () => (SCRIPT)(...args))().then((value) => done({ value }), (error) => done({ error: String(error?.stack ?? error) }));
`;

interface Outcome {
  readonly value?: unknown;
  readonly error?: string;
}

/** An answer of the driver that is no success. */
class WebDriverError extends Error {}

/** The wire of WebDriver: one session with one browser, one command at a time. https://w3c.github.io/webdriver/ */
export class WebDriver {
  readonly #origin: string;
  #path = '';
  #turn: Promise<unknown> = Promise.resolve();
  #window = '';
  /** The window that the session began with. It stays open, so that others can be opened and closed. */
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

  /** Whether the driver is there and takes a session. */
  async isReady(): Promise<boolean> {
    const status = await this.#send<{ ready: boolean }>('GET', '/status').catch(() => undefined);
    return status?.ready === true;
  }

  async newWindow(): Promise<string> {
    const { handle } = await this.to<{ handle: string }>(this.#first, '/window/new', { type: 'tab' });
    return handle;
  }

  /** A command to a window: `/url`, `/back` and the like. */
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

  /** Runs a function's text in a window, and waits for what it promises. */
  async run(window: string, script: string, args: readonly unknown[]): Promise<unknown> {
    const body = { script: CALLER.replace('SCRIPT', () => script), args: [null, ...args] };
    const { value, error } = await this.to<Outcome>(window, '/execute/async', body);
    if (error !== undefined) throw new Error(error);
    return value;
  }

  /** The id of an element that a script answered; undefined for anything else. */
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

  /** Commands meet the window that is chosen, so that those to two windows must not mix. */
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
