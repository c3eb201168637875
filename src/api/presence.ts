import {
  type Beat,
  type OpenRecord,
  PRESENCE_BEAT,
  PRESENCE_PATH,
  type Present,
  readPresent,
} from '../domain/protocol/presence.ts';
import { isOnline, useConnection } from '../stores/connection.ts';
import { useSession } from '../stores/session.ts';
import { ApiFailure } from './failure.ts';
import { post } from './request.ts';

const PAGE = crypto.randomUUID();

/** A subscription to who else has a record open. */
export interface Following {
  /** Reports that the person started or stopped typing. */
  readonly typing: (isTyping: boolean) => void;
  readonly stop: () => void;
}

/**
 * Reports to the server that this page has a record open while it is visible, and reports to `told` who else has. Offline,
 * the list is empty.
 */
export function followPresence(record: OpenRecord, told: (present: readonly Present[]) => void): Following {
  let doing: Beat['doing'] = 'looking';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;
  const beat = async (): Promise<void> => {
    clearTimeout(timer);
    timer = setTimeout(() => void beat(), PRESENCE_BEAT);
    asked += 1;
    const own = asked;
    const present = await others({ ...record, page: PAGE, doing });
    if (own === asked && doing !== 'left') told(present);
  };
  const leave = () => {
    clearTimeout(timer);
    void others({ ...record, page: PAGE, doing: 'left' });
  };
  const look = () => (document.hidden ? leave() : void beat());
  document.addEventListener('visibilitychange', look);
  if (!document.hidden) void beat();
  return {
    typing(isTyping) {
      const before = doing;
      doing = isTyping ? 'typing' : 'looking';
      if (doing !== before && !document.hidden) void beat();
    },
    stop() {
      doing = 'left';
      document.removeEventListener('visibilitychange', look);
      leave();
    },
  };
}

/** A failed beat is not reported: the connection and session stores already know. */
async function others(beat: Beat): Promise<readonly Present[]> {
  if (!isOnline(useConnection.getState()) || useSession.getState().token === undefined) return [];
  try {
    return readPresent((await post(PRESENCE_PATH, beat)).body);
  } catch (failure) {
    if (failure instanceof ApiFailure) return [];
    throw failure;
  }
}
