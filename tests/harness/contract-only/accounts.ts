import { type Errors, json, Refusal, refuseInvalid } from './answers.ts';
import { type Body, textOf } from './body.ts';
import { ADMINISTRATORS } from './seed.ts';

interface Account {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  password: string;
}

/** Administrators and their bearer tokens. A token is revoked only by its own logout. */
export class Accounts {
  readonly #accounts: Account[] = ADMINISTRATORS.map((one) => ({ ...one }));
  readonly #tokens = new Map<string, Account>();
  readonly #random: (length: number) => string;
  readonly #since: string;
  #nextTokenId = 1;

  constructor(random: (length: number) => string, now: string) {
    this.#random = random;
    this.#since = now;
  }

  /** Returns the account of the request's bearer token. */
  authenticate(request: Request): Account {
    const account = this.#tokens.get(bearer(request));
    if (account === undefined) throw new Refusal(401, 'Unauthenticated.');
    return account;
  }

  /** True for a request with a living token. */
  isSignedIn(request: Request): boolean {
    return this.#tokens.has(bearer(request));
  }

  login(body: Body): Response {
    const email = textOf(body, 'email');
    const password = textOf(body, 'password');
    refuseInvalid(missingTexts({ email, password }));
    const account = this.#accounts.find((one) => one.email === email && one.password === password);
    if (account === undefined) {
      throw new Refusal(422, 'The given data was invalid.', {
        errors: { email: ['These credentials do not match our records.'] },
      });
    }
    const token = `${this.#nextTokenId}|${this.#random(40)}`;
    this.#nextTokenId += 1;
    this.#tokens.set(token, account);
    return json({ user: this.#describe(account), token });
  }

  user(account: Account): Response {
    return json(this.#describe(account));
  }

  logout(request: Request): Response {
    this.#tokens.delete(bearer(request));
    return json({ message: 'Successfully Logged Out' });
  }

  changePassword(account: Account, body: Body): Response {
    const previous = textOf(body, 'previous_password');
    const wanted = textOf(body, 'new_password');
    const errors = missingTexts({ previous_password: previous, new_password: wanted });
    if (previous !== null && previous !== account.password) errors.previous_password = ['The password is incorrect.'];
    if (wanted !== null) {
      const texts: string[] = [];
      if (wanted.length < 8) texts.push('The new password must be at least 8 characters.');
      if (wanted !== textOf(body, 'new_password_confirmation')) {
        texts.push('The new password confirmation does not match.');
      }
      if (texts.length > 0) errors.new_password = texts;
    }
    refuseInvalid(errors);
    account.password = wanted ?? account.password;
    return json({ message: 'Password Changed Successfully' });
  }

  #describe({ id, name, email }: Account) {
    return { id, name, email, email_verified_at: null, created_at: this.#since, updated_at: this.#since };
  }
}

function bearer(request: Request): string {
  return (request.headers.get('authorization') ?? '').replace(/^Bearer /, '');
}

function missingTexts(values: Record<string, string | null>): Errors {
  const missing = Object.entries(values).filter(([, value]) => value === null);
  return Object.fromEntries(missing.map(([name]) => [name, [`The ${name.replaceAll('_', ' ')} field is required.`]]));
}
