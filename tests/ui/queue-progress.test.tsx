import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { QueueProgress } from '../../src/features/outbox/queue-progress.tsx';

afterEach(cleanup);

const MB = 1_000_000;
const SECOND = 1_000;

/** What the line says after each of these, 20 s apart: bytes that arrived, and those left of changes that are paused or wait for Wi-Fi. */
function saidOf(...steps: readonly (readonly [sent: number, paused: number, forWifi?: number])[]): (string | null)[] {
  const { container, rerender } = render(<p />);
  return steps.map(([sent, paused, forWifi = 0], index) => {
    const progress = { sent, total: 10 * MB };
    rerender(<QueueProgress progress={progress} paused={paused} forWifi={forWifi} now={index * 20 * SECOND} />);
    return container.textContent;
  });
}

it('shows the total, then what was sent and the remaining time', () => {
  expect(saidOf([0, 0], [MB, 0])).toEqual(['10.0 MB to send', '1.0 MB of 10.0 MB sent · about 3 min left']);
});

it('appears from 512 KiB on', () => {
  const shownFor = (total: number) => {
    const { container, unmount } = render(
      <QueueProgress progress={{ sent: 0, total }} paused={0} forWifi={0} now={0} />,
    );
    const text = container.textContent;
    unmount();
    return text;
  };
  expect(shownFor(512 * 1024 - 1)).toBe('');
  expect(shownFor(512 * 1024)).toBe('524 kB to send');
});

it('does not count a change saved meanwhile as progress', () => {
  const { container, rerender } = render(<p />);
  const say = (sent: number, total: number, step: number) =>
    rerender(<QueueProgress progress={{ sent, total }} paused={0} forWifi={0} now={step * 20 * SECOND} />);
  say(0, 10 * MB, 0);
  say(0, 90 * MB, 1);
  expect(container.textContent).toBe('90.0 MB to send');
});

it('still estimates the rest when a change is saved during the upload', () => {
  const { container, rerender } = render(<p />);
  const say = (sent: number, total: number, step: number) =>
    rerender(<QueueProgress progress={{ sent, total }} paused={0} forWifi={0} now={step * 20 * SECOND} />);
  say(0, 10 * MB, 0);
  say(MB, 10 * MB, 1);
  say(2 * MB, 30 * MB, 2);
  expect(container.textContent).toMatch(/^2.0 MB of 30.0 MB sent · about \d+ min left$/);
});

it('counts no time for what is paused', () => {
  expect(saidOf([0, 0], [MB, 8 * MB], [2 * MB, 8 * MB])).toEqual([
    '10.0 MB to send',
    '1.0 MB of 10.0 MB sent · 8.0 MB paused · less than a minute left',
    '8.0 MB paused',
  ]);
});

it('counts no time for what waits for Wi-Fi', () => {
  expect(saidOf([0, 0, 0], [MB, 0, 8 * MB], [2 * MB, 0, 8 * MB], [2 * MB, 3 * MB, 5 * MB])).toEqual([
    '10.0 MB to send',
    '1.0 MB of 10.0 MB sent · 8.0 MB waiting for Wi-Fi · less than a minute left',
    '8.0 MB waiting for Wi-Fi',
    '3.0 MB paused · 5.0 MB waiting for Wi-Fi',
  ]);
});

it('shows minutes up to an hour and a half, and hours beyond that', () => {
  const said = (left: number) => saidAfter(left)?.split(' · ')[1];
  expect(said(30 * MB)).toBe('about 10 min left');
  expect(said(240 * MB)).toBe('about 80 min left');
  expect(said(360 * MB)).toBe('about 2 h left');
  expect(said(720 * MB)).toBe('about 4 h left');
});

/** What is said with this much left after 1 MB in 20 s. */
function saidAfter(left: number): string | null {
  const { container, rerender, unmount } = render(<p />);
  for (const step of [0, 1]) {
    const progress = { sent: step * MB, total: left + MB };
    rerender(<QueueProgress progress={progress} paused={0} forWifi={0} now={step * 20 * SECOND} />);
  }
  const said = container.textContent;
  unmount();
  return said;
}
