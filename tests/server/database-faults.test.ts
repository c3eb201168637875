import { DatabaseError } from 'pg';
import { describe, expect, test } from 'vitest';
import { asAway, DatabaseAway } from '../../server/stores/postgres/away.ts';
import { startFault } from '../../server/stores/postgres/start-fault.ts';

/** A database error with this code. */
function said(code: string, message = 'said'): DatabaseError {
  return Object.assign(new DatabaseError(message, message.length, 'error'), { code });
}

function thrownFor(fault: unknown): unknown {
  try {
    return asAway(fault);
  } catch (error) {
    return error;
  }
}

describe('a database error', () => {
  test.each([
    ['08006', 'the connection failed'],
    ['57P01', 'its administrator ends it'],
    ['57P03', 'it is starting'],
    ['53300', 'it has too many connections'],
  ])('is a connection error with the code %s: %s', (code) => {
    const fault = said(code);
    expect(thrownFor(fault)).toMatchObject({ code: 'DATABASE_AWAY', cause: fault });
  });

  test.each([
    ['57014', 'it took too long'],
    ['23505', 'a value is there already'],
    ['25006', 'the database can only be read'],
    ['53100', 'its disk is full'],
  ])('is a statement error with the code %s: %s', (code) => {
    const fault = said(code);
    expect(thrownFor(fault)).toBe(fault);
  });

  test('is a connection error when no one answered, and is wrapped only once', () => {
    const away = thrownFor(new Error('read ECONNRESET'));
    expect(away).toBeInstanceOf(DatabaseAway);
    expect(thrownFor(away)).toBe(away);
  });
});

describe('the report of a database that cannot be opened', () => {
  const told = (error: unknown) => startFault(error, 'db/desk');
  const away = (cause: unknown) => new DatabaseAway(cause);

  test.each([
    ['28P01', 'does not take this password of DATABASE_URL.'],
    ['28000', 'does not let this user of DATABASE_URL in: no entry for "guest".'],
    ['3D000', 'is not there: its server has no database of this name.'],
    ['42501', 'does not let this user make tables: it has to own the database, or its schema.'],
    ['CERT_HAS_EXPIRED', 'shows a certificate that has ended.'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'shows a certificate of another name.'],
  ])('explains the code %s and is permanent', (code, words) => {
    const fault = said(code, 'no entry for "guest"');
    expect(told(away(fault))).toEqual({ words: `The database db/desk ${words}`, isPassing: false });
    expect(told(new Error('A step failed.', { cause: fault }))).toMatchObject({ isPassing: false });
  });

  test.each([
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  ])('explains an untrusted certificate (%s) and how to trust it', (code) => {
    const { words, isPassing } = told(away(Object.assign(new Error('certificate'), { code })));
    expect(words).toBe(
      'The database db/desk shows a certificate that nobody vouches for. In DATABASE_URL, sslrootcert=FILE names the certificate to trust.',
    );
    expect(isPassing).toBe(false);
  });

  test('explains a missing TLS support and is permanent', () => {
    const fault = told(away(new Error('The server does not support SSL connections')));
    expect(fault).toEqual({
      words: 'The database db/desk takes no TLS, which sslmode in DATABASE_URL asks for.',
      isPassing: false,
    });
  });

  test('gives the first error of several addresses and is temporary', () => {
    const one = away(new Error('connect ETIMEDOUT'));
    expect(told(one)).toEqual({
      words: 'The database db/desk cannot be reached (connect ETIMEDOUT).',
      isPassing: true,
    });
    const several = new AggregateError([new Error('connect ECONNREFUSED ::1'), new Error('connect ECONNREFUSED 127')]);
    expect(told(away(several))).toEqual({
      words: 'The database db/desk cannot be reached (connect ECONNREFUSED ::1).',
      isPassing: true,
    });
  });

  test('gives the message of any other error', () => {
    const newer = new Error('Was it used by a newer Voltdesk?', { cause: new Error('a step is missing') });
    expect(told(newer)).toEqual({ words: 'Was it used by a newer Voltdesk?', isPassing: false });
    expect(told('nothing but words')).toEqual({ words: 'nothing but words', isPassing: false });
  });
});
