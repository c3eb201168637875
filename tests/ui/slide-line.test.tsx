import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { movedTo, type Slide } from '../../src/resource/sliders/order-rules.ts';
import { SlideLine } from '../../src/resource/sliders/slide-line.tsx';

afterEach(cleanup);

const slide = (recordId: string, text: string): Slide => ({
  recordId,
  image: '',
  values: { text },
  base: { values: { text }, imageIds: [] },
});

function Lines() {
  const [slides, setSlides] = useState([slide('1', 'Sun'), slide('2', 'Wind'), slide('3', 'Water')]);
  return (
    <ol>
      {slides.map((one, place) => (
        <SlideLine
          key={one.recordId}
          slide={one}
          place={place}
          count={slides.length}
          onMove={(to) => setSlides(movedTo(slides, one.recordId, to))}
        />
      ))}
    </ol>
  );
}

test('keeps the focus on a slide moved by its serial, and updates all serials', async () => {
  render(<Lines />);
  const serial = (name: string) => screen.getByRole<HTMLInputElement>('spinbutton', { name: `Serial of ${name}` });
  await userEvent.clear(serial('Sun'));
  await userEvent.type(serial('Sun'), '3{Enter}');
  expect(screen.getAllByRole<HTMLInputElement>('spinbutton').map(({ value }) => value)).toEqual(['1', '2', '3']);
  expect(serial('Sun').value).toBe('3');
  expect(document.activeElement).toBe(serial('Sun'));
});

test('limits a serial to the existing ones', () => {
  render(<Lines />);
  const [serial] = screen.getAllByRole<HTMLInputElement>('spinbutton');
  expect([serial?.min, serial?.max, serial?.step]).toEqual(['1', '3', '1']);
});
