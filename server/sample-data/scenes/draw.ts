import type { Chance } from '../chance.ts';

/** Draws one scene as an SVG document. */
export type Scene = (chance: Chance) => string;

const WIDTH = 1200;
const HEIGHT = 900;

let gradients = 0;

/** A complete drawing. */
export function drawing(parts: readonly string[], width = WIDTH, height = HEIGHT): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${parts.join('')}</svg>`;
}

/** A gradient fill, vertical or horizontal. `.def` goes into the drawing before its use as `fill`. */
export function gradient(colours: readonly string[], sideways = false) {
  gradients += 1;
  const id = `g${gradients}`;
  const stops = colours.map(
    (colour, index) => `<stop offset="${index / (colours.length - 1)}" stop-color="${colour}"/>`,
  );
  const direction = sideways ? 'x1="0" x2="1" y1="0" y2="0"' : 'x1="0" x2="0" y1="0" y2="1"';
  return {
    def: `<defs><linearGradient id="${id}" ${direction}>${stops.join('')}</linearGradient></defs>`,
    fill: `url(#${id})`,
  };
}

/** A soft round glow. */
export function glow(x: number, y: number, radius: number, colour: string, strength = 0.9): string {
  gradients += 1;
  const id = `g${gradients}`;
  return `<defs><radialGradient id="${id}"><stop offset="0" stop-color="${colour}" stop-opacity="${strength}"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient></defs><circle cx="${x}" cy="${y}" r="${radius}" fill="url(#${id})"/>`;
}

export function rect(x: number, y: number, width: number, height: number, fill: string, more = ''): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${more}/>`;
}

export function circle(x: number, y: number, radius: number, fill: string, more = ''): string {
  return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}" ${more}/>`;
}

export function polygon(points: readonly (readonly [number, number])[], fill: string, more = ''): string {
  return `<polygon points="${points.map((point) => point.join(',')).join(' ')}" fill="${fill}" ${more}/>`;
}

export function line(x1: number, y1: number, x2: number, y2: number, colour: string, width: number): string {
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${colour}" stroke-width="${width}" stroke-linecap="round"/>`;
}

/** A shadow on the ground. */
export function shadow(x: number, y: number, width: number, height = 26): string {
  return `<ellipse cx="${x}" cy="${y}" rx="${width / 2}" ry="${height}" fill="#000" opacity="0.28"/><ellipse cx="${x}" cy="${y}" rx="${width / 2.3}" ry="${height / 1.8}" fill="#000" opacity="0.22"/>`;
}

/** `count` items side by side. */
export function repeat(count: number, draw: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => draw(index)).join('');
}

/** Skies: clear noon, morning, evening, overcast. */
const SKIES = [
  ['#4f9bd9', '#a9d3f2', '#e9f4fb'],
  ['#7db4e0', '#f6d9b8', '#fdeedd'],
  ['#2f5d8c', '#e2936b', '#f7cf9b'],
  ['#8aa0b4', '#bccad6', '#e6ecf0'],
] as const;

/** A sky with distant hills, and ground below `horizon`. */
export function outdoors(
  chance: Chance,
  horizon: number,
  ground: readonly string[],
  width = WIDTH,
  height = HEIGHT,
): string {
  const sky = gradient(chance.pick(SKIES));
  const earth = gradient(ground);
  const hill = (y: number, colour: string) => {
    const [a, b] = [chance.whole(40, 140), chance.whole(40, 140)];
    return `<path d="M0 ${y} C ${width * 0.25} ${y - a}, ${width * 0.4} ${y + 30}, ${width * 0.55} ${y - 20} S ${width * 0.85} ${y - b}, ${width} ${y} V ${height} H 0 Z" fill="${colour}"/>`;
  };
  return [
    sky.def,
    earth.def,
    rect(0, 0, width, height, sky.fill),
    glow(chance.whole(100, width - 100), chance.whole(60, 220), 240, '#fff6d8'),
    hill(horizon - 30, '#7f9fae'),
    hill(horizon, '#6b8f7c'),
    rect(0, horizon, width, height - horizon, earth.fill),
  ].join('');
}

/** A wall behind a floor, lit from one side. */
export function indoors(chance: Chance, floorAt: number): string {
  const wall = gradient(
    chance.pick([
      ['#eef1f3', '#d5dbe0'],
      ['#f4efe8', '#ddd3c5'],
      ['#dfe8ea', '#bccbd0'],
      ['#3b4650', '#2a323a'],
    ]),
  );
  const floor = gradient(
    chance.pick([
      ['#b9bec2', '#8b9196'],
      ['#a58d74', '#7c664f'],
      ['#6f7a82', '#4b555c'],
    ]),
  );
  return [
    wall.def,
    floor.def,
    rect(0, 0, WIDTH, floorAt, wall.fill),
    rect(0, floorAt, WIDTH, HEIGHT - floorAt, floor.fill),
    rect(0, floorAt - 14, WIDTH, 14, '#00000022'),
    glow(chance.whole(200, 1000), 120, 620, '#ffffff', 0.35),
  ].join('');
}
