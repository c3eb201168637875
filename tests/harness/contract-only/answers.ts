import { expectsJson } from './accept.ts';

/** An answer that ends a request early, like an exception in Laravel. */
export class Refusal extends Error {
  readonly status: number;
  readonly errors?: Errors;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, more: { errors?: Errors; headers?: Record<string, string> } = {}) {
    super(message);
    this.status = status;
    this.headers = more.headers ?? {};
    if (more.errors !== undefined) this.errors = more.errors;
  }
}

/** Validation messages by field. */
export type Errors = Record<string, string[]>;

/** Throws the validation answer if there are errors. */
export function refuseInvalid(errors: Errors): void {
  if (Object.keys(errors).length > 0) throw new Refusal(422, 'The given data was invalid.', { errors });
}

/** A successful answer: JSON regardless of the Accept header, with non-ASCII characters and `/` escaped as PHP does. */
export function json(data: unknown): Response {
  return new Response(phpJson(data), { status: 200, headers: { 'content-type': 'application/json' } });
}

/** A refusal in the format that the request's headers ask for. */
export function refuse(refusal: Refusal, request: Request): Response {
  if (expectsJson(request.headers)) return jsonRefusal(refusal);
  if (refusal.status === 422) return redirect(request.headers.get('referer') ?? new URL('/', request.url).href);
  if (refusal.status === 401) return redirect(new URL('/login', request.url).href);
  return page(refusal.status, refusal.message, refusal.headers);
}

/** An HTML page. */
export function page(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(`<!DOCTYPE html><html><head><title>${text}</title></head><body>${text}</body></html>`, {
    status,
    headers: { 'content-type': 'text/html; charset=UTF-8', ...headers },
  });
}

/** A redirect. */
export function redirect(location: string): Response {
  return page(302, `Redirecting to ${location}`, { location });
}

/** The page to which a browser without a session is led. */
export function loginPage(): Response {
  return page(200, '<form method="post"><input type="password" name="password"></form>');
}

function jsonRefusal({ status, message, errors, headers }: Refusal): Response {
  // Validation and 401 have renderers of their own. The exception handler writes everything else, indented.
  const body =
    errors === undefined
      ? status === 401
        ? phpJson({ message })
        : escapeUnicode(JSON.stringify({ message }, undefined, 4))
      : phpJson({ message, errors });
  const statusText = status === 419 ? 'unknown status' : '';
  return new Response(body, { status, statusText, headers: { 'content-type': 'application/json', ...headers } });
}

function phpJson(data: unknown): string {
  return escapeUnicode(JSON.stringify(data)).replaceAll('/', '\\/');
}

function escapeUnicode(text: string): string {
  return text.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
