/** The Content-Type of an answer; empty without one. */
export function contentTypeOf({ headers }: Response): string {
  return headers.get('Content-Type') ?? '';
}

/** True for a page. A page instead of another file comes from a captive portal. */
export function isPage(answer: Response): boolean {
  return contentTypeOf(answer).startsWith('text/html');
}
