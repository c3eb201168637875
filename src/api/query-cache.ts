import { ApiFailure, messageOf } from './failure.ts';

/** A server value as this device knows it. */
export interface CopyState<T> {
  /** Undefined until the device's copy or the server's answer has been read. */
  readonly value?: T;
  /** When the value was requested. It reflects the server state at that time. Epoch milliseconds. */
  readonly fetchedAt?: number;
  readonly refreshing: boolean;
  /** Why the last refresh failed. The value stays. */
  readonly failure?: string;
  /** Only the first part of the value has arrived. */
  readonly partial?: true;
  /** The server has no such value. */
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

/** Fetches and stores a value. `fetch` returns `unchanged` if the ETag still matches. */
export interface Source<T> {
  read(): Promise<Stored<T> | undefined>;
  /** Returns the value, or its first part, requested at page start before this code had loaded. */
  early?(): Promise<EarlyValue<T> | undefined>;
  fetch(etag: string | undefined): Promise<{ value: T; etag?: string | undefined } | 'unchanged'>;
  write(stored: Stored<T>): Promise<void>;
  /**
   * Updates the device's copy in another way, after adopting all changes. Returns the time as of which it is current (epoch
   * milliseconds), or undefined if there is no such way; the value is then fetched. `anew`: an answer in flight does not
   * count.
   */
  follow?(anew: boolean): Promise<number | undefined>;
  /** Removes the stored value, because the server no longer has it. */
  forget?(): Promise<void>;
  /** True once the user for whom it was read has left. Answers that arrive later are dropped. */
  isLeft?(): boolean;
}

/** An observable value: shows the device's copy at once and revalidates it. */
export interface Copy<T> {
  state(): CopyState<T>;
  /** Reads the device's copy, only once. */
  load(): Promise<void>;
  subscribe(listener: () => void): () => void;
  /** Refreshes from the server, one request at a time. Never rejects: a failure is part of the state. */
  refresh(): Promise<void>;
  /** Refreshes again even if an answer is in flight, because that answer may predate the latest change. */
  refreshAnew(): Promise<void>;
  /** True while a screen shows the value. */
  watched(): boolean;
  /** Adopts a value that is already on the device. */
  adopt(stored: Stored<T>): void;
  /** Reads the device's copy again after something else has written it. */
  reload(): Promise<void>;
}

/** Creates an observable value. Each first subscriber triggers a refresh; the first refresh also reads the device. */
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
    // a value adopted meanwhile is newer
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
    change(await answered(anew).catch(faulty));
  }

  /** A failure that is none of the server's, such as code that could not be loaded. */
  function faulty(caught: unknown): CopyState<T> {
    console.error('A copy cannot be refreshed.', caught);
    return { ...state, refreshing: false, failure: messageOf(caught) };
  }

  /** Shows the early answer unless the device has a copy. Returns true if the answer is complete. */
  async function showEarly(): Promise<boolean> {
    const early = await source.early?.();
    if (early === undefined || state.value !== undefined) return false;
    if (early.partial) change({ ...state, value: early.value, partial: true });
    else change(keep(early));
    return !early.partial;
  }

  async function answered(anew: boolean): Promise<CopyState<T>> {
    const fetchedAt = now();
    try {
      const followed = await follow(anew);
      if (followed !== undefined) return followed;
      const before = state;
      const answer = await source.fetch(before.value === undefined ? undefined : etag);
      if (source.isLeft?.()) return { ...state, refreshing: false };
      // a value adopted meanwhile may be newer than the answer
      if (state.fetchedAt !== before.fetchedAt && (state.fetchedAt ?? 0) > fetchedAt)
        return { ...state, refreshing: false };
      return keep(answer === 'unchanged' ? { value: before.value as T, etag, fetchedAt } : { ...answer, fetchedAt });
    } catch (caught) {
      if (!(caught instanceof ApiFailure)) throw caught;
      // a value adopted meanwhile stays
      // only a record can be missing: a list that is not found is none that is empty
      if (caught.kind !== 'missing' || source.forget === undefined)
        return { ...state, refreshing: false, failure: messageOf(caught) };
      await source.forget();
      return { refreshing: false, missing: true };
    }
  }

  /** Updates by changes. Possible only if the device has a copy. */
  async function follow(anew: boolean): Promise<CopyState<T> | undefined> {
    const fetchedAt = state.fetchedAt === undefined ? undefined : await source.follow?.(anew);
    // read only now, because the changes have been adopted meanwhile
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

/** Treats a copy that cannot be read or written as missing. The server's answer is still shown. */
function withoutDevice(failure: unknown): undefined {
  console.warn('The copy on this device cannot be used.', failure);
}
