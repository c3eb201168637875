import { cleanup, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Rail } from '../../src/app/shell/rail.tsx';
import { InviteDialog } from '../../src/features/account/invite-dialog.tsx';
import { catalogue as german } from '../../src/language/de.ts';
import { speak } from '../../src/language/t.ts';
import { open } from './open-form.tsx';

beforeEach(() => speak(german));

afterEach(() => {
  cleanup();
  speak(undefined);
});

test('the roles of an invitation are told in German, with large nouns', () => {
  render(<InviteDialog onInvited={() => undefined} onClose={() => undefined} />);
  const roles = screen.getAllByRole('option').map(({ textContent }) => textContent);
  expect(roles).toEqual([
    'Inhaber: bearbeitet alles und verwaltet Personen',
    'Bearbeiter: legt Einträge an, bearbeitet und löscht sie',
    'Betrachter: sieht alles an und ändert nichts',
  ]);
});

test('the only record of its kind has its German name as the heading', async () => {
  open('/sete-meta-update');
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Website-Angaben');
});

test('a word that is longer than the narrow navigation breaks at a hyphen', () => {
  render(
    <MemoryRouter>
      <Rail onOpen={() => undefined} />
    </MemoryRouter>,
  );
  const places = within(screen.getByRole('navigation')).getAllByRole('link');
  const parts = places.flatMap(({ textContent }) => textContent.split(/[\s\u00AD-]/));
  expect(parts.filter((part) => part.length > 12)).toEqual([]);
});
