import { afterEach, expect, test } from 'vitest';
import { aboutItems } from '../../src/domain/resources/about-items.ts';
import { sliders } from '../../src/domain/resources/sliders.ts';
import { catalogue as german } from '../../src/language/de.ts';
import { speak } from '../../src/language/t.ts';
import { sayTitle } from '../../src/resource/say-title.ts';

afterEach(() => speak(undefined));

test('a record without a title of its own is called by its kind and number, in the user’s language', () => {
  expect(sayTitle(aboutItems, { id: 3, name: '' })).toBe('About Us Slider 3');
  speak(german);
  expect(sayTitle(aboutItems, { id: 3, name: '' })).toBe('„Über uns“-Bild 3');
  expect(sayTitle(sliders, { text: '' })).toBe('Slide');
});

test('a title of its own is not translated', () => {
  speak(german);
  expect(sayTitle(sliders, { id: 3, text: 'Slider' })).toBe('Slider');
});
