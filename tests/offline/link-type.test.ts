import { afterEach, expect, test, vi } from 'vitest';
import { linkType, onLinkType } from '../../src/offline/storage/link-type.ts';

afterEach(() => vi.unstubAllGlobals());

/** A browser that tells the kind of its link, as Chromium on a tablet does. */
function browserOn(type: string) {
  const connection = Object.assign(new EventTarget(), { type });
  vi.stubGlobal('navigator', { connection });
  const becomes = (next: string) => {
    connection.type = next;
    connection.dispatchEvent(new Event('change'));
  };
  return { becomes };
}

test('the kind of link is the one that there is now', () => {
  const { becomes } = browserOn('wifi');
  expect(linkType()).toBe('wifi');
  becomes('cellular');
  expect(linkType()).toBe('cellular');
});

test('a link that has become one of another kind is told each time, and one that only got faster is not', () => {
  const { becomes } = browserOn('cellular');
  const told = vi.fn();
  onLinkType(told);
  expect(told).not.toHaveBeenCalled();
  becomes('wifi');
  becomes('wifi');
  expect(told).toHaveBeenCalledTimes(1);
  becomes('cellular');
  becomes('wifi');
  expect(told).toHaveBeenCalledTimes(3);
});

test('a browser that does not tell the kind of its link is left in peace', () => {
  vi.stubGlobal('navigator', {});
  expect(linkType()).toBeUndefined();
  expect(() => onLinkType(() => {})).not.toThrow();
});
