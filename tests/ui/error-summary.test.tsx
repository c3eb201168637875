import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { partners } from '../../src/domain/resources/partners.ts';
import type { FieldErrors } from '../../src/domain/validate.ts';
import { emptyContent } from '../../src/resource/form/content.ts';
import { ErrorSummary } from '../../src/resource/form/error-summary.tsx';
import { openSession, reduce } from '../../src/resource/form/session.ts';

afterEach(cleanup);

function show(errors: FieldErrors, warned?: FieldErrors) {
  const opened = openSession({ fields: partners.fields, start: emptyContent(partners), errors });
  const session = warned === undefined ? opened : reduce(opened, { type: 'warned', errors: warned });
  render(<ErrorSummary session={session} idOf={({ name }) => name} onSaveAnyway={() => {}} />);
  return screen.getByRole('alert').textContent;
}

test('an error that belongs to no field of the form is shown', () => {
  const text = show({ licence: ['The licence has expired.'], name: ['The name is taken.'] });
  expect(text).toContain('Check 1 field');
  expect(text).toContain('The name is taken.');
  expect(text).toContain('The licence has expired.');
  expect(screen.queryByRole('link', { name: 'The licence has expired.' })).toBeNull();
});

test('calls it a refusal when no error belongs to a field', () => {
  expect(show({ licence: ['The licence has expired.'] })).toContain('The server refused this');
});

test('says offline what the server will probably reject', () => {
  const text = show({}, { name: ['The name field is required.'], link: ['The link must be a valid URL.'] });
  expect(text).toContain('You’re offline, and the server will probably reject this: check 2 fields');
});

test('keeps the focus for errors that a form opens with, and moves it to new ones', () => {
  show({ name: ['The name is taken.'] });
  expect(document.activeElement).toBe(document.body);
  cleanup();
  show({}, { name: ['The name field is required.'] });
  expect(document.activeElement).toBe(screen.getByRole('alert'));
});
