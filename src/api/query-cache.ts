import { ApiFailure, messageOf } from './failure.ts';

/** A value of the server as this device knows it. */
export interface CopyState<T> {
  /** Absent until the device's copy, or else the server's answer, has been read. */
  readonly value?: T;
  /** When the server was asked for it: what it knew then is in it. Epoch milliseconds. */
  readonly fetchedAt?: number;
  readonly refreshing: boolean;
  /** Why the last refresh brought nothing; the value stands. */
  readonly failure?: string;
  /** Only the beginning of the value has come yet. */
  readonly partial?: true;
  /** The server has no such thing. */
  readonly missing: boolean;
}

export interface Stored<T> {
  readonly value: T;
  readonly fetchedAt: number;
  readonly etag?: string | undefined;
}

export interface EarlyValue<T> {
  readonly value: T;
  /** Epoch milliseconds. */
  readonly fetchedAt: number;
  readonly etag?: string | undefined;
  readonly partial: boolean;
}

/** Where a value comes from and where it is kept. `fetch` answers `unchanged` for the tag it was given. */
export interface Source<T> {
  read(): Promise<Stored<T> | undefined>;
  /** What was asked for at the start of the page, before this code was there: the value, or its beginning. */
  early?(): Promise<EarlyValue<T> | undefined>;
  fetch(etag: string | undefined): Promise<{ value: T; etag?: string | undefined } | 'unchanged'>;
  write(stored: Stored<T>): Promise<void>;
  /**
   * Brings the device's copy up to date in another way, and tells as of when (epoch milliseconds); what changed was adopted before.
   * Undefined where there is no such way: then it is fetched. `anew`: an answer that is on its way already will not do.
   */
  follow?(anew: boolean): Promise<number | undefined>;
  /** The server has no such thing any more. */
  forget?(): Promise<void>;
}

/** One observable value: the device's copy at once, refreshed behind it. */
export interface Copy<T> {
  state(): CopyState<T>;
  /** Reads the device's copy, once. */
  load(): Promise<void>;
  subscribe(listener: () => void): () => void;
  /** Asks the server, once at a time. Never rejects: a failure is part of the state. */
  refresh(): Promise<void>;
  /** Asks once more, also where an answer is on its way: that one may not know yet what was just changed. */
  refreshAnew(): Promise<void>;
  /** True while a screen looks at it. */
  watched(): boolean;
  /** Takes over what is on the device already. */
  adopt(stored: Stored<T>): void;
  /** Reads the device's copy again: something else has written it. */
  reload(): Promise<void>;
}

/** Makes the observable value. It is read from the device at the first look, and asked for again at each first look after a pause. */
export function openCopy<T>(source: Source<T>, now: () => number = Date.now): Copy<T> {
  let state: CopyState<T> = { refreshing: true, missing: false };
  let etag: string | undefined;
  let loaded: Promise<void> | undefined;
  let refreshing: Promise<void> | undefined;
  const listeners = new Set<() => void>();

  function change(next: CopyState<T>): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function load(): Promise<void> {
    loaded ??= readStored();
    return loaded;
  }

  async function readStored(): Promise<void> {
    const stored = await source.read().catch(withoutDevice);
    // what was adopted meanwhile is newer
    if (stored === undefined || stored.fetchedAt < (state.fetchedAt ?? 0)) return;
    etag = stored.etag;
    const { partial: _, ...before } = state;
    change({ ...before, value: stored.value, fetchedAt: stored.fetchedAt });
  }

  async function ask(anew: boolean): Promise<void> {
    const early = showEarly();
    await load();
    if (await early) return;
    if (!state.refreshing) change({ ...state, refreshing: true });
    change(await answered(anew));
  }

  /** Shows what came early, unless the device had more. True when that is all there is to know. */
  async function showEarly(): Promise<boolean> {
    const early = await source.early?.();
    if (early === undefined || state.value !== undefined) return false;
    if (early.partial) change({ ...state, value: early.value, partial: true });
    else change(keep(early));
    return !early.partial;
  }

  async function answered(anew: boolean): Promise<CopyState<T>> {
    const { failure: _, ...before } = state;
    const fetchedAt = now();
    try {
      const followed = await follow(before, anew);
      if (followed !== undefined) return followed;
      const answer = await source.fetch(before.value === undefined ? undefined : etag);
      return keep(answer === 'unchanged' ? { value: before.value as T, etag, fetchedAt } : { ...answer, fetchedAt });
    } catch (caught) {
      if (!(caught instanceof ApiFailure)) throw caught;
      if (caught.kind !== 'missing') return { ...before, refreshing: false, failure: messageOf(caught) };
      await source.forget?.();
      return { refreshing: false, missing: true };
    }
  }

  /** Only what the device has can be brought up to date by what changed. */
  async function follow({ fetchedAt: readAt }: CopyState<T>, anew: boolean): Promise<CopyState<T> | undefined> {
    const fetchedAt = readAt === undefined ? undefined : await source.follow?.(anew);
    // it is not what it was before: what changed was adopted
    const { value } = state;
    return fetchedAt === undefined || value === undefined
      ? undefined
      : { value, fetchedAt, refreshing: false, missing: false };
  }

  function adopt({ value, fetchedAt, etag: tag }: Stored<T>): void {
    etag = tag;
    const { partial: _, failure: __, ...before } = state;
    change({ ...before, value, fetchedAt, missing: false });
  }

  function keep({ value, etag: tag, fetchedAt }: Stored<T>): CopyState<T> {
    etag = tag;
    source.write({ value, fetchedAt, etag }).catch(withoutDevice);
    return { value, fetchedAt, refreshing: false, missing: false };
  }

  function refresh(anew = false): Promise<void> {
    refreshing ??= ask(anew).finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  }

  return {
    state: () => state,
    load,
    subscribe(listener) {
      listeners.add(listener);
      if (listeners.size === 1) void refresh();
      return () => listeners.delete(listener);
    },
    refresh: () => refresh(),
    refreshAnew: () => (refreshing ?? Promise.resolve()).then(() => refresh(true)),
    watched: () => listeners.size > 0,
    adopt,
    async reload() {
      const stored = await source.read().catch(withoutDevice);
      if (stored !== undefined) adopt(stored);
    },
  };
}

/** A copy that cannot be read or kept is one that is not there: what the server says is shown all the same. */
function withoutDevice(failure: unknown): undefined {
  console.warn('The copy on this device cannot be used.', failure);
}
