import { contentTypes } from '../content/types.ts';

/** Prints TypeScript declarations of the content API, for a site that reads it. */
export async function run(): Promise<void> {
  console.log(contentTypes());
}
