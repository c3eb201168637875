/** Roles in ascending order. Each includes the permissions of those before it. */
export const ROLES = ['viewer', 'editor', 'owner'] as const;

export type Role = (typeof ROLES)[number];

/** True for the name of a role. */
export function isRole(value: unknown): value is Role {
  return ROLES.some((role) => role === value);
}

/** True if `role` is `least` or higher. */
export function allows(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

/** A role's label, and what it may do as the rest of a sentence. */
export const ROLE_WORDS: Readonly<Record<Role, { readonly label: string; readonly may: string }>> = {
  owner: { label: 'Owner', may: 'edits everything, and manages people' },
  editor: { label: 'Editor', may: 'adds, edits and deletes records' },
  viewer: { label: 'Viewer', may: 'looks at everything, and changes nothing' },
};

/** The code of a 403 for a role that does not allow the call. */
export const ROLE_TOO_LOW = 'role-too-low';
