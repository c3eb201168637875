import { expect } from 'vitest';
import { feedAddress, type FeedPage } from '../../src/domain/protocol/feed.ts';
import type { Resource } from '../../src/domain/resource.ts';
import { type Client, formOf } from './harness.ts';
import { filesFor, valuesFor } from './samples.ts';

/** Reads a page of the feed. */
export async function page(admin: Client, since?: string): Promise<FeedPage> {
  const answer = await admin.get(feedAddress(since));
  expect(answer.statusCode).toBe(200);
  return answer.json();
}

/** Reads the feed from a cursor to its end. */
export async function readOn(admin: Client, since?: string): Promise<FeedPage[]> {
  const first = await page(admin, since);
  return first.more ? [first, ...(await readOn(admin, first.cursor))] : [first];
}

/** The current end of the feed. */
export const cursorNow = async (admin: Client) => (await readOn(admin)).at(-1)?.cursor ?? '';

/** Creates a record with files. Returns its id. */
export async function create(admin: Client, resource: Resource, mark: string): Promise<number> {
  const form = formOf(valuesFor(resource.fields, mark), await filesFor(resource));
  return (await admin.post(resource.endpoints.create, form)).json().id;
}
