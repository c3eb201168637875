import { expect, test } from 'vitest';
import { addressProblem, addressWarning, databaseName } from '../../server/settings/database-address.ts';
import { readSettings } from '../../server/settings/settings.ts';

const SECRET = 'c0rrect-h0rse';

test.each([
  [`postgres://voltdesk:${SECRET}@db.example.com:5433/desk?sslmode=verify-full`, 'db.example.com:5433/desk'],
  [`postgresql://voltdesk:${SECRET}@db.example.com/desk`, 'db.example.com/desk'],
  [`postgres://voltdesk:${SECRET},more@db.example.com/desk`, 'db.example.com/desk'],
  ['postgres:///desk', 'localhost/desk'],
  ['postgres://voltdesk@/desk?host=%2Frun%2Fpostgresql', '/run/postgresql/desk'],
])('accepts %s, and names it by place and database', (address, name) => {
  expect(addressProblem(address)).toBeUndefined();
  expect(databaseName(address)).toBe(name);
});

test.each([
  ['another protocol', `mysql://voltdesk:${SECRET}@db.example.com/desk`, 'not an address as postgres://'],
  ['a password with characters of addresses', `postgres://voltdesk:${SECRET}#/@db/desk`, 'not an address'],
  [
    'several servers',
    `postgres://voltdesk:${SECRET}@one.example.com:5432,two.example.com:5432/desk?target_session_attrs=read-write`,
    'names several servers',
  ],
  ['several servers elsewhere', `postgres://voltdesk:${SECRET}@/desk?host=one,two`, 'names several servers'],
  ['no name', `postgres://voltdesk:${SECRET}@db.example.com`, 'names no database'],
  [
    'a mode that is none',
    `postgres://voltdesk:${SECRET}@db/desk?sslmode=prefer`,
    'sslmode is none of disable, require',
  ],
  ['a mode without its certificate', `postgres://a:${SECRET}@db/desk?sslmode=verify-ca`, 'needs sslrootcert=FILE'],
  ['a certificate that is not there', `postgres://a:${SECRET}@db/d?sslrootcert=/none.pem`, 'no file "/none.pem"'],
])('refuses %s at start with an explanation that omits the password', (_what, DATABASE_URL, words) => {
  const read = () => readSettings({ DATABASE_URL });
  expect(read).toThrow(words);
  expect(read).not.toThrow(SECRET);
});

test.each([
  ['postgres://a:b@db/desk?sslmode=require', 'does not verify whose database answers. sslmode=verify-full does'],
  ['postgres://a:b@db/desk?sslmode=require&sslrootcert=/its.pem', undefined],
  ['postgres://a:b@db/desk?sslmode=verify-full', undefined],
  ['postgres://a:b@db/desk', undefined],
])('says of %s what it leaves open', (address, words) => {
  const warning = addressWarning(address);
  if (words === undefined) expect(warning).toBeUndefined();
  else expect(warning).toContain(words);
});

test('refuses a database together with a back end that keeps the records', () => {
  const both = { DATABASE_URL: 'postgres://a:b@db/desk', API_URL: 'https://back-end.example.com' };
  expect(() => readSettings(both)).toThrow('DATABASE_URL: with API_URL the records are in the back end');
});
