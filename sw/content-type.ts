/** What an answer says it is; an empty text where it says nothing. */
export function contentTypeOf({ headers }: Response): string {
  return headers.get('Content-Type') ?? '';
}

/** True for a page: what answers so in the place of another file is a network that asks for a sign-in. */
export function isPage(answer: Response): boolean {
  return contentTypeOf(answer).startsWith('text/html');
}
