import { addUser } from '../../server/stores/sql/users.ts';
import type { PeopleList } from '../../src/domain/protocol/people.ts';
import type { Role } from '../../src/domain/roles.ts';
import { type Client, startServer } from './harness.ts';

export const OMAR = { email: 'omar@example.com', name: 'Omar Faruk' };

export const PASSWORD = 'four grey donkeys';

export const NEW = { new_password: PASSWORD, new_password_confirmation: PASSWORD };

export type Server = Awaited<ReturnType<typeof startServer>>;

/** A signed-in administrator with this role. */
export async function withRole({ app, client }: Server, role: Role): Promise<Client> {
  const email = `${role}@example.com`;
  await addUser(app.services, { name: role, email, password: PASSWORD, role, at: '2026-11-20T12:00:00Z' });
  const one = await client();
  await one.signIn(email, PASSWORD);
  return one;
}

export const list = async (owner: Client): Promise<PeopleList> => (await owner.get('/api/people')).json();

export async function idOf(owner: Client, email: string): Promise<number> {
  const found = (await list(owner)).people.find((one) => one.email === email);
  if (found === undefined) throw new Error(`There is no ${email}.`);
  return found.id;
}

export const invite = (owner: Client, role: Role = 'editor') =>
  owner.post('/api/people/invitations', { ...OMAR, role });
