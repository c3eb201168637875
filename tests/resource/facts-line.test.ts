import { expect, it } from 'vitest';
import { catalogue as german } from '../../src/language/de.ts';
import { speak } from '../../src/language/t.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { factsLine, factsOf } from '../../src/resource/list/facts.ts';

it('shortens an address to the part that identifies it', () => {
  const rows = [
    { recordId: '1', name: 'Helios', link: 'https://www.helios.example/' },
    { recordId: '2', name: 'Plain', link: 'http://plain.example/power' },
    { recordId: '3', name: 'None', link: null },
  ];
  const facts = factsOf(resourceOf('partners'), rows, 4);
  expect(rows.map((row) => factsLine(facts, row))).toEqual(['helios.example', 'plain.example/power', '']);
});

it('shows a choice in the user’s language', () => {
  speak(german);
  try {
    const row = { recordId: '1', type: 'Single Phase', capacity: '5 kW' };
    const facts = factsOf(resourceOf('grid-tie-inverters'), [row], 8);
    expect(factsLine(facts, row)).toBe('5 kW · Einphasig');
  } finally {
    speak(undefined);
  }
});

it('a plain number is shown with its label', () => {
  const row = { recordId: '1', text: 'Sun', serial: 3 };
  const facts = factsOf(resourceOf('sliders'), [row], 4);
  expect(factsLine(facts, row)).toBe('Serial 3');
  speak(german);
  const translated = factsOf(resourceOf('sliders'), [row], 4);
  speak(undefined);
  expect(factsLine(translated, row)).toBe('Position 3');
});

it('includes a fact that is empty in the first row', () => {
  const rows = [
    { recordId: '1', brand: 'Osram', capacity: '', origin: null },
    { recordId: '2', brand: 'Osram', capacity: '5 W', origin: 'Italy' },
  ];
  const facts = factsOf(resourceOf('street-lights'), rows, 4);
  expect(facts.map(({ field }) => field)).toEqual(['capacity', 'origin']);
  const half = { recordId: '3', brand: 'Osram', capacity: '', origin: 'Italy' };
  expect([...rows, half].map((row) => factsLine(facts, row))).toEqual(['', '5 W · Italy', 'Italy']);
  expect(factsOf(resourceOf('street-lights'), rows, 1).map(({ field }) => field)).toEqual(['capacity']);
  expect(factsOf(resourceOf('street-lights'), [{ recordId: '1', brand: 'Osram' }], 4)).toEqual([]);
});
