/** What a walk needs from a browser, in any engine. Every engine is driven only through these interfaces. */

/** An element on a page that a person can reach. */
export interface Control {
  click(): Promise<void>;
  /** Replaces the contents of a field, by keyboard. */
  type(text: string): Promise<void>;
  /** Picks files from disk, by path. */
  attach(paths: readonly string[]): Promise<void>;
}

/** A function that runs in a page. It can use its arguments and the page, but nothing from its module. */
export type PageScript<A extends readonly unknown[], T> = (...args: A) => T | Promise<T>;

/** The time limit of a script in a page. A script that hangs is reported to the walk, which tries again. Milliseconds. */
export const SCRIPT_LIMIT = 20_000;

export interface Tab {
  /** Opens an address as if it were typed: a full navigation. Resolves when the new document can be queried. */
  goto(address: string): Promise<void>;
  /** Goes back in the history, to another document. */
  back(): Promise<void>;
  /** Runs a function in the page and returns its result, which must be JSON. */
  run<A extends readonly unknown[], T>(script: PageScript<A, T>, ...args: A): Promise<T>;
  /** Returns the element that a function finds in the page, as a control to click and type into. */
  find<A extends readonly unknown[]>(script: PageScript<A, Element | null>, ...args: A): Promise<Control | undefined>;
  resize(width: number, height: number): Promise<void>;
  close(): Promise<void>;
}

/** A running browser with a profile on disk. It continues to run after its last tab is closed. */
export interface Browser {
  newTab(): Promise<Tab>;
  /** The memory currently used by all its processes. Bytes. */
  memory(): number;
  /** Kills it with all its processes, as a tablet that loses power does. */
  kill(): Promise<void>;
}

export const ENGINES = ['chromium', 'firefox', 'webkit'] as const;
export type EngineName = (typeof ENGINES)[number];
