import { SHARED_KEY, UNTOUCHED, usePreferences } from './preferences.ts';
import { useSession } from './session.ts';

/** Loads the signed-in user's preferences, now and whenever the user or another tab changes them. */
export function followPerson(): void {
  takeUp(useSession.getState().user?.id);
  useSession.subscribe(({ user }, before) => {
    if (user?.id !== before.user?.id) takeUp(user?.id);
  });
  window.addEventListener('storage', ({ key, newValue }) => {
    const { persist } = usePreferences;
    if (newValue !== null && key === persist.getOptions().name) void persist.rehydrate();
  });
}

function takeUp(id: number | undefined): void {
  const name = id === undefined ? SHARED_KEY : `${SHARED_KEY}.${id}`;
  usePreferences.persist.setOptions({ name });
  // Preferences from when the device had one set for everyone go to the first user who signs in.
  const shared = localStorage.getItem(SHARED_KEY);
  if (localStorage.getItem(name) === null && shared !== null) localStorage.setItem(name, shared);
  if (id !== undefined) localStorage.removeItem(SHARED_KEY);
  if (localStorage.getItem(name) === null) usePreferences.setState(UNTOUCHED, true);
  else void usePreferences.persist.rehydrate();
}
