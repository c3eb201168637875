import { SHARED_KEY, UNTOUCHED, usePreferences } from './preferences.ts';
import { useSession } from './session.ts';

/** Takes up what the one who is signed in chose on this device, now and whenever that becomes somebody else. */
export function followPerson(): void {
  takeUp(useSession.getState().user?.id);
  useSession.subscribe(({ user }, before) => {
    if (user?.id !== before.user?.id) takeUp(user?.id);
  });
}

function takeUp(id: number | undefined): void {
  const name = id === undefined ? SHARED_KEY : `${SHARED_KEY}.${id}`;
  usePreferences.persist.setOptions({ name });
  if (localStorage.getItem(name) !== null) return void usePreferences.persist.rehydrate();
  // what was chosen for the whole device goes to the first one who comes
  usePreferences.setState(localStorage.getItem(SHARED_KEY) === null ? UNTOUCHED : {});
  if (id !== undefined) localStorage.removeItem(SHARED_KEY);
}
