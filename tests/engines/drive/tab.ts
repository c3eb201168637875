/** What a walk asks of a browser, whichever engine it has. Every engine is driven through these and nothing else. */

/** Something on a page that a person can reach. */
export interface Control {
  click(): Promise<void>;
  /** Takes the place of what stands in a field, by keys. */
  type(text: string): Promise<void>;
  /** Picks files from the disk, by their paths. */
  attach(paths: readonly string[]): Promise<void>;
}

/** A function that runs in a page. It sees its arguments and the page, nothing of the module it is written in. */
export type PageScript<A extends readonly unknown[], T> = (...args: A) => T | Promise<T>;

/** No script in a page may take longer: one that hangs is told to the walk, which asks again. Milliseconds. */
export const SCRIPT_LIMIT = 20_000;

export interface Tab {
  /** Opens an address as if it were typed: a full navigation. Resolves when the new document can be asked. */
  goto(address: string): Promise<void>;
  /** Steps back in the history, to another document. */
  back(): Promise<void>;
  /** Runs a function in the page and answers what it returns, which has to be JSON. */
  run<A extends readonly unknown[], T>(script: PageScript<A, T>, ...args: A): Promise<T>;
  /** The element that a function finds in the page, as something to click and type into. */
  find<A extends readonly unknown[]>(script: PageScript<A, Element | null>, ...args: A): Promise<Control | undefined>;
  resize(width: number, height: number): Promise<void>;
  close(): Promise<void>;
}

/** A running browser with a profile on the disk. Closing the last of its tabs leaves it running. */
export interface Browser {
  newTab(): Promise<Tab>;
  /** The memory that it holds now with all its processes, in bytes. */
  memory(): number;
  /** Ends it at once, with all its processes, as a dying tablet does. */
  kill(): Promise<void>;
}

export const ENGINES = ['chromium', 'firefox', 'webkit'] as const;
export type EngineName = (typeof ENGINES)[number];
