import type { Chance } from '../chance.ts';
import { circle, drawing, glow, gradient, line, outdoors, polygon, rect, repeat, type Scene, shadow } from './draw.ts';

type Point = readonly [number, number];

/** Solar panels in a field, a large one or a row. */
export const panelScene: Scene = (chance) => {
  const colours = chance.pick([
    ['#1b3a6b', '#0c1f42'],
    ['#12161c', '#05070a'],
    ['#224f8f', '#12305e'],
    ['#17202b', '#0a0f16'],
  ]);
  const count = chance.pick([1, 1, 2, 3]);
  const width = count === 1 ? 620 : 900 / count;
  const start = 600 - (count * (width + 24) - 24) / 2;
  const panels = repeat(count, (i) =>
    panel(start + i * (width + 24), 250, width, 400, colours, chance.pick([6, 6, 8])),
  );
  return drawing([outdoors(chance, 610, ['#8fae6a', '#5d7d45']), shadow(600, 770, 980, 30), panels]);
};

function panel(
  x: number,
  y: number,
  width: number,
  height: number,
  colours: readonly string[],
  columns: number,
): string {
  const lean = 70;
  const corner = (across: number, down: number): Point => [x + across * width + (1 - down) * lean, y + down * height];
  const glass = gradient(colours);
  const rows = 10;
  return [
    glass.def,
    line(x + width * 0.25, y + height, x + width * 0.25, y + height + 120, '#5b646b', 14),
    line(x + width * 0.8, y + height, x + width * 0.8, y + height + 120, '#5b646b', 14),
    polygon(
      [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)],
      glass.fill,
      'stroke="#d7dde2" stroke-width="12" stroke-linejoin="round"',
    ),
    repeat(columns - 1, (i) => segment(corner((i + 1) / columns, 0), corner((i + 1) / columns, 1))),
    repeat(rows - 1, (i) => segment(corner(0, (i + 1) / rows), corner(1, (i + 1) / rows))),
    polygon(
      [corner(0.08, 0), corner(0.34, 0), corner(0.16, 1), corner(0, 1), corner(0, 0.5)],
      '#ffffff',
      'opacity="0.10"',
    ),
  ].join('');
}

function segment([x1, y1]: Point, [x2, y2]: Point): string {
  return line(x1, y1, x2, y2, '#9fb4cc88', 2);
}

/** A street light in the evening, with or without its own panel. */
export const streetLightScene: Scene = (chance) => {
  const night = gradient(
    chance.pick([
      ['#0d1b33', '#27406b', '#6d6a8f'],
      ['#0a1420', '#1d3148', '#41566b'],
      ['#23153f', '#58315f', '#c76b5b'],
    ]),
  );
  const x = chance.whole(420, 560);
  const arm = chance.whole(200, 300);
  const head = x + arm;
  const beam = polygon(
    [
      [head - 60, 236],
      [head + 60, 236],
      [head + 300, 800],
      [head - 300, 800],
    ],
    '#fff2c4',
    'opacity="0.20"',
  );
  return drawing([
    night.def,
    rect(0, 0, 1200, 900, night.fill),
    repeat(60, () =>
      circle(chance.whole(0, 1200), chance.whole(0, 460), chance.pick([1, 1, 2]), '#ffffff', 'opacity="0.7"'),
    ),
    repeat(9, (i) => building(chance, i * 140 - 20)),
    rect(0, 780, 1200, 120, '#23272e'),
    repeat(7, (i) => rect(i * 190 + 30, 836, 110, 8, '#d9c36a')),
    beam,
    rect(x - 11, 210, 22, 590, '#8d979f', 'rx="6"'),
    rect(x - 30, 770, 60, 30, '#6b757c', 'rx="4"'),
    `<path d="M${x} 230 Q ${x + arm * 0.4} 180 ${head} 214" stroke="#8d979f" stroke-width="16" fill="none"/>`,
    rect(head - 70, 206, 140, 30, '#cfd6db', 'rx="12"'),
    rect(head - 58, 232, 116, 8, '#fffbe8', 'rx="4"'),
    glow(head, 244, 210, '#fff0b8'),
    chance.next() < 0.55 ? ownPanel(x) : '',
  ]);
};

function building(chance: Chance, x: number): string {
  const height = chance.whole(120, 330);
  const windows = repeat(Math.floor(height / 40) * 3, (i) =>
    chance.next() < 0.4
      ? rect(x + 18 + (i % 3) * 34, 800 - height + 20 + Math.floor(i / 3) * 38, 14, 18, '#ffd98a', 'opacity="0.8"')
      : '',
  );
  return rect(x, 790 - height, 126, height, '#141c29', 'opacity="0.92"') + windows;
}

function ownPanel(x: number): string {
  const cells = repeat(4, (i) => line(x - 128 + i * 42, 190 - i * 14, x - 100 + i * 42, 232 - i * 14, '#5f86b8', 2));
  return (
    polygon(
      [
        [x - 150, 190],
        [x + 20, 130],
        [x + 50, 176],
        [x - 120, 236],
      ],
      '#14305c',
      'stroke="#c3ccd3" stroke-width="6"',
    ) + cells
  );
}
