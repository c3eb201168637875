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
  if (localStorage.getItem(name) !== null) return void usePreferences.persist.rehydrate();
  // Preferences from when the device had one set for everyone go to the first user who signs in.
  usePreferences.setState(localStorage.getItem(SHARED_KEY) === null ? UNTOUCHED : usePreferences.getState(), true);
  if (id !== undefined) localStorage.removeItem(SHARED_KEY);
}
