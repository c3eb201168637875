import { DatabaseAway } from './away.ts';
import { BeingReplaced } from './share.ts';

/** Why a database cannot be used at start-up, and whether waiting may help. */
export interface StartFault {
  readonly words: string;
  readonly isPassing: boolean;
}

/** Messages by error code, to follow the database's name. Waiting helps in none of these cases. */
const WORDS: Readonly<Record<string, string>> = {
  '28P01': 'does not take this password of DATABASE_URL.',
  '28000': 'does not let this user of DATABASE_URL in',
  '3D000': 'is not there: its server has no database of this name.',
  '42501': 'does not let this user make tables: it has to own the database, or its schema.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'shows a certificate that nobody vouches for.',
  SELF_SIGNED_CERT_IN_CHAIN: 'shows a certificate that nobody vouches for.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'shows a certificate that nobody vouches for.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'shows a certificate that nobody vouches for.',
  CERT_HAS_EXPIRED: 'shows a certificate that has ended.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'shows a certificate of another name.',
};

const UNTRUSTED = WORDS['DEPTH_ZERO_SELF_SIGNED_CERT'];
const TRUST = ' In DATABASE_URL, sslrootcert=FILE names the certificate to trust.';

/** Describes why a database could not be opened. `name` is its display name, without the password. */
export function startFault(error: unknown, name: string): StartFault {
  const chain = causesOf(error);
  const known = chain.map(({ code }) => WORDS[String(code)]).find((words) => words !== undefined);
  if (known !== undefined) {
    const said = known.endsWith('.') ? known : `${known}: ${chain.at(-1)?.message}.`;
    return { words: `The database ${name} ${said}${said === UNTRUSTED ? TRUST : ''}`, isPassing: false };
  }
  const [first, last] = [chain[0], chain.at(-1)];
  if (last?.message.includes('does not support SSL') === true)
    return { words: `The database ${name} takes no TLS, which sslmode in DATABASE_URL asks for.`, isPassing: false };
  if (chain.some((one) => one instanceof BeingReplaced))
    return {
      words: `The database ${name} cannot be used yet: a restore or move is replacing its content.`,
      isPassing: true,
    };
  const isAway = chain.some((one) => one instanceof DatabaseAway);
  if (!isAway) return { words: `${first?.message ?? error}`, isPassing: false };
  return { words: `The database ${name} cannot be reached (${last?.message}).`, isPassing: true };
}

interface Cause extends Error {
  readonly code?: unknown;
}

/** Lists an error and its causes, the innermost last. A bare AggregateError counts as its first error. */
function causesOf(error: unknown): Cause[] {
  if (error instanceof AggregateError && error.message === '') return causesOf(error.errors[0]);
  return error instanceof Error ? [error as Cause, ...causesOf(error.cause)] : [];
}
