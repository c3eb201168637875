import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, onNarrowScreen, openList, press, saved } from './open-list.tsx';
import { soon } from '../harness/soon.ts';

const choose = async (row: string, item: string) => {
  await press(`More for ${row}`);
  await userEvent.click(within(await screen.findByRole('menu')).getByRole('menuitem', { name: item }));
};

test('a row’s menu affects only that row, whatever is selected', async () => {
  onNarrowScreen();
  await openList();
  await choose('Philips M1', 'Select');
  await choose('Osram M2', 'Delete');
  await answer('Are you sure? You want to delete this Street Light?', 'Delete');
  await soon(() => expect(saved()).toMatchObject([{ op: 'delete', recordId: '2' }]));
  expect(screen.getByRole('checkbox', { name: 'Select Philips M1' })).toHaveProperty('checked', true);
});
