import { useSession } from '../stores/session.ts';

/** The id under which the signed-in administrator's changes and unfinished forms are kept. */
export function useAdministrator(): string {
  return useSession(({ user }) => String(user?.id ?? ''));
}
