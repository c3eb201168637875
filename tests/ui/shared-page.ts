import { randomUUID } from 'node:crypto';
import * as React from 'react';
import { emptyStorage } from './empty-storage.ts';

/** The page that all files of tests in this worker share, and what makes it a new one for each of them. */

interface SharedPage {
  readonly leave: () => void;
  readonly restore: () => void;
}

// A file's modules are evaluated anew, but the page is watched once.
const WATCHED = Symbol.for('watched page');
const worker = globalThis as { [WATCHED]?: SharedPage };
worker[WATCHED] ??= watchPage();
const page = worker[WATCHED];

/** Ends what the present modules do here: nothing of them hears an event, or wakes up, later on. */
export function leavePage(): void {
  page.leave();
}

/** Makes this page as good as new: empty, with the browser's own functions, on a device on which nothing is stored. */
export function emptyPage(): void {
  page.leave();
  page.restore();
  emptyDocument();
  emptyStorage();
}

function watchPage(): SharedPage {
  forgetOwnerStacks();
  const ends = [watchListeners(window), watchListeners(document), watchTimers(), watchChannels()];
  return {
    leave() {
      for (const end of ends) end();
    },
    // Last, so that the watching itself belongs to the page.
    restore: rememberProperties(),
  };
}

/**
 * React's development build takes a stack trace of each element for its warnings, ten thousand a second at most: an eighth
 * of the time of these tests. This tells it that it has taken them.
 */
function forgetOwnerStacks(): void {
  const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } = React as unknown as {
    __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: object;
  };
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Infinity, set() {} });
}

/** Listeners that React and user-event add to a document once, and never again. */
const OF_LIBRARIES: readonly string[] = ['selectionchange', 'focus', 'blur'];

/** The modules of an earlier file must not hear the events of a later one. */
function watchListeners(target: EventTarget): () => void {
  const heard: Parameters<EventTarget['addEventListener']>[] = [];
  const add = target.addEventListener.bind(target);
  target.addEventListener = (...listener: Parameters<typeof add>) => {
    if (!OF_LIBRARIES.includes(listener[0])) heard.push(listener);
    add(...listener);
  };
  return () => {
    for (const listener of heard.splice(0)) target.removeEventListener(...listener);
  };
}

/** How often jsdom paints. Milliseconds. */
const FRAME = 1000 / 60;

/** The modules of an earlier file must not go on working at their intervals. */
function watchTimers(): () => void {
  const timers = new Set<NodeJS.Timeout>();
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const set = globalThis[name];
    const watched = (...timer: unknown[]) => {
      const made: NodeJS.Timeout = Reflect.apply(set, undefined, timer);
      timers.add(made);
      return made;
    };
    Object.assign(globalThis, { [name]: watched });
  }
  // jsdom paints by an interval of its own, which would be cleared with the others.
  globalThis.requestAnimationFrame = (paint) => Number(setTimeout(() => paint(performance.now()), FRAME));
  globalThis.cancelAnimationFrame = (frame) => clearTimeout(frame);
  return () => {
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
  };
}

/** Channels of Node reach the pages of all workers, and those of the browser this page alone, until it is left. */
function watchChannels(): () => void {
  const open = new Set<BroadcastChannel>();
  let prefix = randomUUID();
  const { BroadcastChannel: Channel } = globalThis;
  globalThis.BroadcastChannel = class extends Channel {
    constructor(name: string) {
      super(`${prefix} ${name}`);
      open.add(this);
    }
  };
  return () => {
    for (const channel of open) channel.close();
    open.clear();
    prefix = randomUUID();
  };
}

/** Remembers what tests replace or add, mostly what jsdom lacks. Returns what puts it back. */
function rememberProperties(): () => void {
  const changed = [globalThis, navigator, document, history, URL];
  const prototypes = [Element, HTMLElement, HTMLCanvasElement, HTMLInputElement, HTMLMediaElement, Blob, Document];
  const were = [...changed, ...prototypes.map(({ prototype }) => prototype)].map(
    (object) => [object, Object.getOwnPropertyDescriptors(object) as PropertyDescriptorMap] as const,
  );
  // Vitest gives the window's properties accessors, which take a new value without looking changed.
  const names = Object.entries(Object.getOwnPropertyDescriptors(globalThis)).filter(([, { get, set }]) => get && set);
  const values = names.map(([name]) => [name, Reflect.get(globalThis, name) as unknown] as const);
  return () => {
    for (const [object, properties] of were) putBack(object, properties);
    for (const [name, value] of values)
      if (Reflect.get(globalThis, name) !== value) Reflect.set(globalThis, name, value);
  };
}

function putBack(object: object, were: PropertyDescriptorMap): void {
  const are = Object.getOwnPropertyDescriptors(object) as PropertyDescriptorMap;
  for (const [name, { value, get }] of Object.entries(are)) {
    const was = were[name];
    if (was === undefined && !name.startsWith('_')) Reflect.deleteProperty(object, name);
    else if (was && (was.value !== value || was.get !== get)) Reflect.defineProperty(object, name, was);
  }
  for (const [name, was] of Object.entries(were)) if (!(name in are)) Reflect.defineProperty(object, name, was);
}

function emptyDocument(): void {
  document.body.replaceChildren();
  // Emotion believes its styles to be there still.
  for (const element of document.head.querySelectorAll(':scope > :not(style[data-emotion])')) element.remove();
  for (const element of [document.documentElement, document.body])
    for (const name of element.getAttributeNames()) element.removeAttribute(name);
  for (const cookie of document.cookie.split('; ')) document.cookie = `${cookie.split('=', 1)[0]}=; max-age=0; path=/`;
  history.replaceState(null, '', '/');
}
