import { array, assert, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { eventReader } from '../../../src/domain/protocol/event-stream.ts';

const STREAM = ': connected\n\nid: a.1\nevent: changes\ndata: {"a": 1}\n\ndata: one\ndata: two\n\n: alive\n\ndata: cut';
const EVENTS = [
  { name: 'changes', data: '{"a": 1}' },
  { name: 'message', data: 'one\ntwo' },
];

test('reads complete events and skips comments', () => {
  expect(eventReader()(STREAM)).toEqual(EVENTS);
});

test('reads lines with the endings that a proxy may have changed', () => {
  expect(eventReader()(STREAM.replaceAll('\n', '\r\n'))).toEqual(EVENTS);
});

test('reads the same events in pieces of any size', () => {
  assert(
    property(array(integer({ min: 1, max: 12 }), { minLength: 1 }), (sizes) => {
      const read = eventReader();
      const events = [];
      for (let at = 0, index = 0; at < STREAM.length; index += 1) {
        const size = sizes[index % sizes.length] ?? 1;
        events.push(...read(STREAM.slice(at, at + size)));
        at += size;
      }
      expect(events).toEqual(EVENTS);
    }),
  );
});
