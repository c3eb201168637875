import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answers, openApp } from './page.tsx';

test('enables actions on all rows only once they are loaded', async () => {
  await openApp('/slider-all');
  await screen.findByRole('heading', { name: 'Sliders', level: 1 });
  const more = screen.getByRole('button', { name: 'More' });
  expect(more).toHaveProperty('disabled', true);
});

test('enables them for an empty list too, which can be imported into', async () => {
  await openApp('/slider-all');
  answers['GET /api/get-sliders'] = () => [];
  await screen.findByRole('heading', { name: 'No Sliders yet' });
  await waitFor(() => expect(screen.getByRole('button', { name: 'More' })).toHaveProperty('disabled', false));
});
