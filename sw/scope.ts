/** What Background Sync adds, where the browser has it; the standard library does not know it. */
export interface SyncEvent extends ExtendableEvent {
  readonly tag: string;
  readonly lastChance: boolean;
}

interface SyncManager {
  register(tag: string): Promise<void>;
}

interface WorkerScope extends ServiceWorkerGlobalScope {
  readonly registration: ServiceWorkerRegistration & { readonly sync?: SyncManager };
  addEventListener(type: 'sync', listener: (event: SyncEvent) => void): void;
  addEventListener<K extends keyof ServiceWorkerGlobalScopeEventMap>(
    type: K,
    listener: (event: ServiceWorkerGlobalScopeEventMap[K]) => void,
  ): void;
}

declare const self: WorkerScope;

/** The worker's global scope, with what Background Sync adds to it. */
export const scope = self;
