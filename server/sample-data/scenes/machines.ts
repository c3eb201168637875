import type { Chance } from '../chance.ts';
import { circle, drawing, glow, gradient, indoors, line, outdoors, rect, repeat, type Scene, shadow } from './draw.ts';

const CANOPIES = [
  ['#f2b632', '#d9940f'],
  ['#2f7d5b', '#1f5a40'],
  ['#2b6cb0', '#1d4b80'],
  ['#eef1f3', '#c3cad0'],
  ['#c2412d', '#8f2a1b'],
  ['#5b6770', '#3b444b'],
] as const;

/** A generator set with its canopy, in a yard or a machine hall. */
export const generatorScene: Scene = (chance) => {
  const place = chance.next() < 0.6 ? outdoors(chance, 560, ['#aeb2b1', '#7d8280']) : indoors(chance, 600);
  const width = chance.whole(620, 800);
  const height = chance.whole(290, 350);
  const [x, y] = [(1200 - width) / 2, 740 - height];
  return drawing([place, shadow(600, 792, width * 1.12), skid(x, 740, width), canopy(chance, x, y, width, height)]);
};

function skid(x: number, y: number, width: number): string {
  return (
    rect(x - 14, y, width + 28, 40, '#23282c', 'rx="4"') +
    repeat(3, (i) => rect(x + 60 + i * (width / 3), y + 12, 70, 16, '#0d0f11'))
  );
}

function canopy(chance: Chance, x: number, y: number, width: number, height: number): string {
  const [light, dark] = chance.pick(CANOPIES);
  const body = gradient([light, dark]);
  const third = width / 3;
  return [
    body.def,
    exhaust(x + width * chance.pick([0.18, 0.78]), y),
    rect(x, y, width, height, body.fill, 'rx="14"'),
    rect(x, y, width, 18, '#ffffff', 'opacity="0.25" rx="9"'),
    louvres(x + 24, y + 60, third - 60, height - 120, dark),
    doors(x + third, y + 34, third * 1.25, height - 62),
    panel(chance, x + width - third * 0.62, y + 54),
    rect(x, y + height - 46, width, 10, '#ffffff', 'opacity="0.35"'),
  ].join('');
}

function exhaust(x: number, y: number): string {
  return rect(x, y - 74, 26, 80, '#4a5157', 'rx="5"') + rect(x - 5, y - 84, 36, 14, '#33393e', 'rx="6"');
}

function louvres(x: number, y: number, width: number, height: number, colour: string): string {
  const rows = Math.floor(height / 18);
  return (
    rect(x, y, width, height, '#00000033', 'rx="6"') +
    repeat(rows, (i) => rect(x + 8, y + 6 + i * 18, width - 16, 8, colour, 'rx="3"'))
  );
}

function doors(x: number, y: number, width: number, height: number): string {
  return repeat(
    2,
    (i) =>
      rect(x + (i * width) / 2 + 4, y, width / 2 - 10, height, 'none', 'rx="8" stroke="#00000055" stroke-width="3"') +
      rect(x + (i * width) / 2 + (i === 0 ? width / 2 - 36 : 18), y + height / 2 - 24, 10, 48, '#1d2226', 'rx="4"'),
  );
}

function panel(chance: Chance, x: number, y: number): string {
  const lamp = (i: number) => circle(x + 26 + i * 30, y + 104, 8, chance.pick(['#35d07f', '#ffb02e', '#e5484d']));
  return (
    rect(x, y, 118, 150, '#1a1f23', 'rx="8"') + rect(x + 16, y + 18, 86, 56, '#8fd3c1', 'rx="4"') + repeat(3, lamp)
  );
}

/** UPS: one or two towers on a floor. */
export const upsScene: Scene = (chance) => {
  const count = chance.whole(1, 3);
  const width = chance.whole(200, 260);
  const height = chance.whole(430, 560);
  const start = 600 - (count * (width + 40) - 40) / 2;
  return drawing([
    indoors(chance, 690),
    repeat(count, (i) => tower(chance, start + i * (width + 40), 780 - height, width, height)),
  ]);
};

function tower(chance: Chance, x: number, y: number, width: number, height: number): string {
  const body = gradient(
    chance.pick([
      ['#343b41', '#14181b'],
      ['#f3f5f6', '#c9d0d5'],
      ['#4a545c', '#262d32'],
    ]),
    true,
  );
  const slots = Math.floor((height * 0.42) / 20);
  return [
    body.def,
    shadow(x + width / 2, y + height + 6, width * 1.25, 20),
    rect(x, y, width, height, body.fill, 'rx="12"'),
    rect(x + 24, y + 30, width - 48, 110, '#0b0e10', 'rx="8"'),
    rect(x + 40, y + 46, width - 80, 60, '#5ad0ff', 'rx="4" opacity="0.85"'),
    repeat(4, (i) => rect(x + 48 + i * 26, y + 94 - i * 8, 16, 8 + i * 8, '#083a52')),
    circle(x + width / 2, y + 172, 14, '#35d07f'),
    glow(x + width / 2, y + 172, 40, '#35d07f', 0.6),
    repeat(slots, (i) => rect(x + 28, y + height * 0.5 + i * 20, width - 56, 9, '#00000055', 'rx="4"')),
  ].join('');
}

/** Grid-tie inverters on a wall, with their switches and cables. */
export const inverterScene: Scene = (chance) => {
  const count = chance.pick([1, 1, 2]);
  const width = chance.whole(300, 380);
  const height = chance.whole(360, 440);
  const start = 600 - (count * (width + 70) - 70) / 2;
  return drawing([
    indoors(chance, 800),
    repeat(count, (i) => inverter(chance, start + i * (width + 70), 170, width, height)),
  ]);
};

function inverter(chance: Chance, x: number, y: number, width: number, height: number): string {
  const body = gradient(
    chance.pick([
      ['#ffffff', '#dfe4e8'],
      ['#e9edf0', '#b8c1c8'],
      ['#3e474e', '#22282d'],
      ['#fdf6ec', '#e2d6c4'],
    ]),
  );
  const accent = chance.pick(['#e5484d', '#f2b632', '#2b9d6b', '#2b6cb0', '#f76b15']);
  const cable = (i: number) =>
    line(x + 70 + i * 60, y + height, x + 70 + i * 60, 800, i % 2 === 0 ? '#22282d' : '#b3372c', 12);
  return [
    body.def,
    repeat(4, cable),
    rect(x + 14, y + 20, width, height, '#00000022', 'rx="24"'),
    repeat(9, (i) => rect(x - 12, y + 60 + i * ((height - 120) / 9), 14, 16, '#7b868e', 'rx="3"')),
    rect(x, y, width, height, body.fill, 'rx="22"'),
    rect(x, y + height * 0.64, width, 10, accent),
    rect(x + width / 2 - 80, y + 70, 160, 96, '#11161a', 'rx="10"'),
    rect(x + width / 2 - 66, y + 84, 132, 68, '#9ed8b6', 'rx="4"'),
    repeat(3, (i) => circle(x + width / 2 - 40 + i * 40, y + 206, 9, i === 0 ? '#35d07f' : '#59636b')),
    circle(x + 56, y + height - 56, 24, '#1b2125'),
    rect(x + 52, y + height - 78, 8, 26, accent, 'rx="3"'),
  ].join('');
}
