import { create } from 'zustand';
import { useSession } from './session.ts';

export interface Notification {
  readonly id: number;
  readonly message: string;
  /** `success`: the server has confirmed changes; many of these are merged into one. `done`: something else has succeeded. */
  readonly kind: 'success' | 'done' | 'error' | 'info';
  /** How many confirmed changes a success tells of, if it is not one. */
  readonly changes?: number;
  /** One action, such as Undo. */
  readonly action?: { readonly label: string; run(): void };
  /** The user whose it is, if it has an action. Nobody else may take it. */
  readonly userId?: number | undefined;
}

interface Notifications {
  /** Not shown yet, oldest first. */
  readonly waiting: readonly Notification[];
  /** The notification that was dismissed last, which is no longer true. */
  readonly dismissed?: number;
  /** Returns and clears what is waiting. The caller shows it. */
  take(): readonly Notification[];
}

/** Toasts queue here, because the code that shows them is loaded after the first paint. */
export const useNotifications = create<Notifications>()((set, get) => ({
  waiting: [],
  take: () => {
    const { waiting } = get();
    if (waiting.length > 0) set({ waiting: [] });
    return waiting;
  },
}));

let lastId = 0;

/** Shows a toast, and returns its id. An empty message shows nothing: some servers send errors without a message. */
export function notify(
  message: string,
  { kind, action, changes }: Pick<Notification, 'kind' | 'action' | 'changes'>,
): number {
  lastId += 1;
  if (message.trim() === '') return lastId;
  const whose = action && { action, userId: useSession.getState().user?.id };
  const notification: Notification = { id: lastId, message, kind, ...(changes !== undefined && { changes }), ...whose };
  useNotifications.setState(({ waiting }) => ({ waiting: [...waiting, notification] }));
  return lastId;
}

/** Closes a toast that is no longer true, such as one about a deletion that was undone elsewhere. */
export function dismiss(dismissed: number): void {
  useNotifications.setState({ dismissed });
}

/** True while a notification may be shown: its user is still signed in. */
export function isForUser({ action, userId }: Notification): boolean {
  const { user, left } = useSession.getState();
  return action === undefined || (user?.id === userId && !left);
}
