import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { App } from '../../src/app/app.tsx';

it('shows its name', () => {
  render(<App />);
  expect(screen.getByRole('heading', { name: 'Voltdesk' })).toBeDefined();
});
