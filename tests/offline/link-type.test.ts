import { afterEach, expect, test, vi } from 'vitest';
import { linkType, onLinkType } from '../../src/offline/storage/link-type.ts';

afterEach(() => vi.unstubAllGlobals());

/** A browser that reports the type of its link, as Chromium does on a tablet. */
function browserOn(type: string) {
  const connection = Object.assign(new EventTarget(), { type });
  vi.stubGlobal('navigator', { connection });
  const becomes = (next: string) => {
    connection.type = next;
    connection.dispatchEvent(new Event('change'));
  };
  return { becomes };
}

test('reads the current type of the link', () => {
  const { becomes } = browserOn('wifi');
  expect(linkType()).toBe('wifi');
  becomes('cellular');
  expect(linkType()).toBe('cellular');
});

test('reports each change of the link’s type, and no change of its speed', () => {
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

test('ignores a browser that does not report the type of its link', () => {
  vi.stubGlobal('navigator', {});
  expect(linkType()).toBeUndefined();
  expect(() => onLinkType(() => {})).not.toThrow();
});
