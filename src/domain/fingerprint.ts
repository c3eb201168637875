import { listedFields } from './resource.ts';
import { RESOURCES } from './resources/index.ts';
import { siteMeta } from './resources/site-meta.ts';

/**
 * A fingerprint of the definitions: the kinds, their fields and what their list rows include. It lies beside what is kept of the
 * server. Where it differs, an earlier version of the app has read that without what is new, and it is read anew.
 */
export const FINGERPRINT: string = hashOf(
  JSON.stringify([
    ...RESOURCES.map((resource) => [resource.name, fieldsOf(resource), listedFields(resource)]),
    [siteMeta.name, fieldsOf(siteMeta)],
  ]),
);

function fieldsOf({ fields }: { readonly fields: readonly { readonly name: string; readonly kind: string }[] }) {
  return fields.map(({ name, kind }) => [name, kind]);
}

/** FNV-1a with 32 bits (http://www.isthe.com/chongo/tech/comp/fnv). It tells versions apart and protects nothing. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}
