import { isEmailAddress } from '../accounts/email-address.ts';
import type { Database } from '../stores/sql/tables.ts';
import { madeUpPassword } from '../accounts/first-administrator.ts';
import type { Passwords } from '../security/passwords.ts';
import { factorsIn } from '../stores/sql/factors.ts';
import { peopleIn } from '../stores/sql/people.ts';
import { isRole } from '../../src/domain/roles.ts';
import { addUser, setPassword, userByEmail } from '../stores/sql/users.ts';

/** Dependencies of the command. */
export interface AdminWorld {
  readonly db: Database;
  readonly passwords: Passwords;
  readonly randomBytes: (count: number) => Buffer;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

const ADMIN_USAGE = `npm run admin -- list
npm run admin -- add EMAIL [NAME]
npm run admin -- reset-password EMAIL
npm run admin -- reset-second-factor EMAIL
npm run admin -- role EMAIL owner|editor|viewer
npm run admin -- remove EMAIL`;

/** Manages administrators. Returns the output. Throws readable errors. */
export async function manageAdministrators(
  world: AdminWorld,
  [command, email = '', ...name]: readonly string[],
): Promise<string> {
  if (command === 'list') return listAll(world);
  const run = COMMANDS.get(command ?? '');
  if (run === undefined) throw new Error(ADMIN_USAGE);
  if (!isEmailAddress(email)) throw new Error(`"${email}" is not an email address.\n${ADMIN_USAGE}`);
  return run(world, email, name.join(' '));
}

const COMMANDS: ReadonlyMap<string, typeof add> = new Map([
  ['add', add],
  ['reset-password', resetPassword],
  ['reset-second-factor', resetSecondFactor],
  ['role', setRole],
  ['remove', remove],
]);

async function listAll({ db }: AdminWorld): Promise<string> {
  const users = await db.selectFrom('users').select(['email', 'name', 'role', 'created_at']).orderBy('email').execute();
  return users
    .map((user) => `${user.email}  ${user.name}  ${user.role}  since ${user.created_at.slice(0, 10)}`)
    .join('\n');
}

async function add(world: AdminWorld, email: string, name: string): Promise<string> {
  if ((await userByEmail(world.db, email)) !== undefined) throw new Error(`${email} is an administrator already.`);
  const password = madeUpPassword(world.randomBytes);
  await addUser(world, {
    name: name || (email.split('@')[0] ?? email),
    email,
    password,
    isMadeUp: true,
    at: new Date(world.now()).toISOString(),
  });
  return `Added ${email}. Password: ${password}\nIt is shown only once, and must be changed at the first sign-in.`;
}

async function resetPassword(world: AdminWorld, email: string): Promise<string> {
  const user = await known(world, email);
  const password = madeUpPassword(world.randomBytes);
  await setPassword(world, user.id, password, { isMadeUp: true, at: new Date(world.now()).toISOString() });
  return `New password of ${user.email}: ${password}\nIt is shown only once, and must be changed at the next sign-in. All sessions of this administrator have ended.`;
}

async function resetSecondFactor(world: AdminWorld, email: string): Promise<string> {
  const user = await known(world, email);
  await factorsIn(world).reset(user.id);
  return `${user.email} signs in with the password alone now. All sessions of this administrator have ended.`;
}

async function setRole(world: AdminWorld, email: string, role: string): Promise<string> {
  if (!isRole(role)) throw new Error(`"${role}" is no role.\n${ADMIN_USAGE}`);
  const user = await known(world, email);
  await peopleIn(world).setRole(user.id, role);
  return `${user.email} has the role ${role}.`;
}

async function remove(world: AdminWorld, email: string): Promise<string> {
  const user = await known(world, email);
  await peopleIn(world).remove(user.id);
  return `Removed ${user.email}.`;
}

async function known({ db }: AdminWorld, email: string) {
  const user = await userByEmail(db, email);
  if (user === undefined) throw new Error(`${email} is no administrator.`);
  return user;
}
