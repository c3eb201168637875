import type { Field } from './fields.ts';
import type { Values } from './validate.ts';

/** A host with a dot, then perhaps a port and a path: how people write an address, and how lists show it. */
const BARE = /^[^\s/?#:@]+\.[^\s/?#:@.]+\.?(:\d+)?([/?#]\S*)?$/;

/** Completes a web address without a scheme: "example.com" becomes "https://example.com". Other texts stay as they are. */
export function withScheme(field: Field | undefined, text: string): string {
  const isAddress = field?.kind === 'text' && field.format === 'url';
  return isAddress && BARE.test(text.trim()) ? `https://${text.trim()}` : text;
}

/** Completes the web addresses among the values of a record. Returns the same object if there is nothing to complete. */
export function withSchemes(fields: readonly Field[], values: Values): Values {
  const completed = fields
    .map((field) => [field.name, withScheme(field, values[field.name] ?? '')] as const)
    .filter(([name, text]) => text !== (values[name] ?? ''));
  return completed.length === 0 ? values : { ...values, ...Object.fromEntries(completed) };
}
