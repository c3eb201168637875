import { cleanup, render } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, expect, test } from 'vitest';
import PasswordScreen from '../../src/features/auth/password-screen.tsx';
import { SignInForm } from '../../src/features/auth/sign-in-form.tsx';

afterEach(cleanup);

// The names are on the wire, and password managers go by them.
const names = (container: HTMLElement) => [...container.querySelectorAll('input')].map(({ name }) => name);

test('the sign-in fields carry their wire names', () => {
  const { container } = render(<SignInForm onSignedIn={() => {}} />);
  expect(names(container)).toEqual(['email', 'password', 'remember']);
});

test('the password change fields carry their wire names', () => {
  const { container } = render(
    <MemoryRouter>
      <PasswordScreen />
    </MemoryRouter>,
  );
  const fields = names(container).filter((name) => name.includes('password'));
  expect(fields).toEqual(['previous_password', 'new_password', 'new_password_confirmation']);
});
