import type { FieldErrors } from '../../src/domain/validate.ts';
import type { Settings } from '../settings/settings.ts';
import { passwordProblem } from './password-rules.ts';

/** The owner of the new password. */
interface Owner {
  readonly name: string;
  readonly email: string;
}

/** Names of this installation, which make weak passwords. */
export function ownWordsOf({
  brandLabel,
  companyLabel,
  locationLine,
}: Pick<Settings, 'brandLabel' | 'companyLabel' | 'locationLine'>): readonly string[] {
  return ['Voltdesk', brandLabel, companyLabel, locationLine];
}

/**
 * Validation errors of a new password, under its field; empty if there are none. The confirmation's error is under the same
 * field, as in a stock Laravel back end. `ownWords` are names of the installation.
 */
export async function newPasswordErrors(
  ownWords: readonly string[],
  { name, email }: Owner,
  { next, confirmation }: { readonly next: string; readonly confirmation: string },
): Promise<FieldErrors> {
  const isOwnName = [email, name].some((own) => own.toLowerCase() === next.toLowerCase());
  const ownName = isOwnName ? 'The new password must not be your email or name.' : undefined;
  const problem = ownName ?? (await passwordProblem(next, [email, name, ...ownWords]));
  const texts = [
    ...(problem === undefined ? [] : [problem]),
    ...(next === confirmation ? [] : ['The new password confirmation does not match.']),
  ];
  return texts.length === 0 ? {} : { new_password: texts };
}
