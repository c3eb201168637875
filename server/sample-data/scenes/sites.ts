import type { Chance } from '../chance.ts';
import { circle, drawing, glow, gradient, line, outdoors, polygon, rect, repeat, type Scene, shadow } from './draw.ts';
import { INKS } from './papers.ts';

/** A wide hero picture: hills, panels, turbines and the sun. */
export const heroScene: Scene = (chance) => {
  const [width, height] = [1800, 700];
  const turbine = (i: number) =>
    windTurbine(chance, 200 + i * chance.whole(320, 480), chance.whole(420, 470), chance.whole(150, 220));
  const row = (r: number) => repeat(14, (i) => slanted(i * 150 - 60 + r * 40, 520 + r * 66, 118 + r * 10, 44 + r * 6));
  return drawing(
    [outdoors(chance, 480, ['#8fb36a', '#4f7440'], width, height), repeat(chance.whole(1, 4), turbine), repeat(3, row)],
    width,
    height,
  );
};

function slanted(x: number, y: number, width: number, height: number): string {
  const points = [
    [x + 24, y],
    [x + width + 24, y],
    [x + width, y + height],
    [x, y + height],
  ] as const;
  const stripes = repeat(4, (i) =>
    line(x + 24 + ((i + 1) * width) / 5, y, x + ((i + 1) * width) / 5, y + height, '#7fa3d0', 1.5),
  );
  return polygon(points, '#1b3f78', 'stroke="#dfe6ec" stroke-width="3"') + stripes;
}

function windTurbine(chance: Chance, x: number, y: number, size: number): string {
  const turn = chance.next() * 2;
  const blade = (i: number) => {
    const angle = turn + (i * 2 * Math.PI) / 3;
    return line(x, y - size, x + size * 0.7 * Math.cos(angle), y - size + size * 0.7 * Math.sin(angle), '#ffffff', 8);
  };
  return line(x, y + 40, x, y - size, '#eef2f4', 10) + repeat(3, blade) + circle(x, y - size, 9, '#d3dade');
}

/** A client's building, with panels on the roof or a generator beside it. */
export const projectScene: Scene = (chance) => {
  const wall = gradient(
    chance.pick([
      ['#f3f0ea', '#cfc8bb'],
      ['#e3e9ed', '#b4c0c8'],
      ['#c98b6b', '#9c6246'],
      ['#dfe3d6', '#b5bba6'],
    ]),
  );
  const floors = chance.whole(2, 5);
  const top = 720 - floors * 100;
  const windowAt = (i: number) =>
    rect(
      290 + (i % 8) * 80,
      top + 28 + Math.floor(i / 8) * 100,
      50,
      56,
      chance.pick(['#7fb2d4', '#9cc7e0', '#5f93b8', '#f4dd9a']),
      'rx="3"',
    );
  return drawing([
    outdoors(chance, 660, ['#a9adaa', '#777c79']),
    wall.def,
    shadow(600, 724, 820),
    rect(250, top, 700, 720 - top, wall.fill),
    rect(236, top - 14, 728, 18, '#5b646b'),
    repeat(floors * 8, windowAt),
    chance.next() < 0.7 ? repeat(6, (i) => slanted(262 + i * 112, top - 62, 92, 46)) : '',
    rect(560, 640, 80, 80, '#2b3238'),
    rect(980, 620, 150, 90, '#f2b632', 'rx="8"') + repeat(5, (i) => rect(996, 638 + i * 13, 60, 6, '#b57f0b')),
    repeat(4, (i) => tree(chance, 60 + i * 52, 720)),
  ]);
};

function tree(chance: Chance, x: number, y: number): string {
  const height = chance.whole(70, 130);
  return (
    line(x, y, x, y - height, '#5d4a39', 9) +
    circle(x, y - height, chance.whole(30, 46), chance.pick(['#4c7a45', '#3c6638', '#628f4f']))
  );
}

/** The company: its hall, people and vans. */
export const companyScene: Scene = (chance) => {
  const front = gradient(
    chance.pick([
      ['#dde5ea', '#aebbc4'],
      ['#f2ece2', '#cdbfa9'],
      ['#35424d', '#222b33'],
    ]),
  );
  const ink = chance.pick(INKS);
  const person = (i: number) => {
    const x = 210 + i * chance.whole(96, 120);
    return (
      circle(x, 640, 26, chance.pick(['#c68d63', '#8d5a3a', '#e5b894', '#5d3b26'])) +
      rect(x - 34, 668, 68, 120, chance.pick(INKS), 'rx="26"') +
      `<path d="M${x - 28} 632 a28 28 0 0 1 56 0 z" fill="#f2b632"/>`
    );
  };
  return drawing([
    outdoors(chance, 620, ['#b1b5b4', '#848988']),
    front.def,
    polygon(
      [
        [130, 330],
        [600, 200],
        [1070, 330],
        [1070, 690],
        [130, 690],
      ],
      front.fill,
    ),
    rect(130, 330, 940, 26, ink),
    rect(500, 240, 200, 60, ink, 'rx="12"'),
    repeat(
      3,
      (i) =>
        rect(200 + i * 280, 430, 220, 250, '#4a545c', 'rx="6"') +
        repeat(7, (j) => line(206 + i * 280, 460 + j * 32, 414 + i * 280, 460 + j * 32, '#2f373d', 3)),
    ),
    glow(600, 330, 300, '#ffffff', 0.25),
    repeat(chance.whole(4, 8), person),
  ]);
};
