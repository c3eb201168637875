import type { Resource } from '../../domain/resource.ts';

/** Under which key an administrator's unfinished new record of a kind is kept. */
export function newDraftKey(administrator: string, { name }: Resource): string {
  return `${administrator}/${name}/new`;
}
