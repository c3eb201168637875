import { type AnyResource, titleOf } from '../domain/resource.ts';
import { say } from '../language/t.ts';

/** A record's name in a sentence, in the user's language: "Generator 12" where it has no title of its own. */
export function sayTitle(resource: AnyResource, record: Readonly<Record<string, unknown>>): string {
  return titleOf(resource, record, say(resource.label.one));
}
