/** What an administrator may do. Each role may do all that those before it may. */
export const ROLES = ['viewer', 'editor', 'owner'] as const;

export type Role = (typeof ROLES)[number];

/** True for the name of a role. */
export function isRole(value: unknown): value is Role {
  return ROLES.some((role) => role === value);
}

/** True when `role` may do what asks for at least `least`. */
export function allows(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

/** What a role is called, and what it may do, as it goes on after the name and a colon. */
export const ROLE_WORDS: Readonly<Record<Role, { readonly label: string; readonly may: string }>> = {
  owner: { label: 'Owner', may: 'edits everything, and manages people' },
  editor: { label: 'Editor', may: 'adds, edits and deletes records' },
  viewer: { label: 'Viewer', may: 'looks at everything, and changes nothing' },
};

/** The code of a 403 to somebody whose role does not allow the call. */
export const ROLE_TOO_LOW = 'role-too-low';
