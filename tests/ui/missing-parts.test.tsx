import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SessionWatch } from '../../src/app/session-watch.tsx';
import { Shell } from '../../src/app/shell/shell.tsx';
import { SignInForm } from '../../src/features/auth/sign-in-form.tsx';
import { PickZone } from '../../src/fields/photos/pick-zone.tsx';
import { isAttachment } from '../../src/domain/fields.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { onMissingCode } from '../../src/ui/late.tsx';
import { useServerAbilities } from '../../src/stores/server-abilities.ts';
import { endSession, useSession } from '../../src/stores/session.ts';
import { setUnsaved } from '../../src/stores/unsaved.ts';
import { soon } from '../harness/soon.ts';
import { answer, press, show } from './open-screen.tsx';

/** Parts that a press opens, on a link that does not bring their code. */

const missing = vi.hoisted(() => () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});
vi.mock('../../src/app/shell/account-links.tsx', missing);
vi.mock('../../src/app/shell/nav-drawer.tsx', missing);
vi.mock('../../src/features/auth/sign-in-dialog.tsx', missing);
vi.mock('../../src/features/auth/factor-step.tsx', missing);
vi.mock('../../src/features/auth/passkey-button.tsx', missing);
vi.mock('../../src/fields/photos/camera/camera-dialog.tsx', missing);

const said = vi.fn<() => void>();

beforeEach(() => {
  onMissingCode(said);
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }));
});
afterEach(() => {
  useServerAbilities.setState({}, true);
  setUnsaved('a form', false);
  vi.clearAllMocks();
  vi.unstubAllGlobals();
});

const Typed = () => <input aria-label="Name" defaultValue="" />;
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const typed = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;

test('the account and the navigation say so each time, and the form below them stands', async () => {
  show(
    <Shell>
      <Typed />
    </Shell>,
  );
  type('Name', 'Delta');
  await press(/Nadia Rahman/);
  await soon(() => expect(said).toHaveBeenCalledTimes(1));
  await soon(() => expect(screen.getByRole('button', { name: /Nadia Rahman/ }).ariaExpanded).toBe('false'));
  await press('Navigation');
  await soon(() => expect(said).toHaveBeenCalledTimes(2));
  await press('Navigation');
  await soon(() => expect(said).toHaveBeenCalledTimes(3));
  expect(typed('Name')).toBe('Delta');
});

test('a session that ends over a form leaves the form, and the sign-in is put off', async () => {
  setUnsaved('a form', true);
  show(
    <>
      <Typed />
      <SessionWatch />
    </>,
  );
  type('Name', 'Delta');
  act(() => endSession('token-1'));
  await soon(() => expect(useSession.getState()).toMatchObject({ signInAsked: false, putOff: true }));
  expect(said).toHaveBeenCalledOnce();
  expect(typed('Name')).toBe('Delta');
});

test('the sign-in stands without the passkey, and returns from the second step with what was typed', async () => {
  useServerAbilities.setState({ secondFactor: true });
  answer('POST /api/auth/login', { message: 'One more step.', ticket: 'ticket-1', passkey: true, code: true });
  show(<SignInForm onSignedIn={() => {}} />);
  type('Email', 'nadia@example.com');
  await vi.dynamicImportSettled();
  expect([typed('Email'), said.mock.calls.length]).toEqual(['nadia@example.com', 0]);
  await press('Sign in');
  await soon(() => expect(said).toHaveBeenCalledOnce());
  await soon(() => expect(typed('Email')).toBe('nadia@example.com'));
});

test('without the app’s camera the device’s own opens', async () => {
  vi.stubGlobal('isSecureContext', true);
  const field = resourceOf('generators')
    .fields.filter(isAttachment)
    .find(({ name }) => name === 'images');
  if (field === undefined) throw new Error('Generators have no images.');
  const opened = vi.spyOn(HTMLInputElement.prototype, 'click');
  const nothing = () => {};
  show(
    <PickZone
      {...{ field, id: 'pick', present: [], invalid: false, described: undefined, takesPaste: false }}
      onAdd={nothing}
      onReading={nothing}
    />,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Take photos' }));
  await soon(() => expect(opened.mock.contexts).toEqual([document.querySelector('input[capture]')]));
});
