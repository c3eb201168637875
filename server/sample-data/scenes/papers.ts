import { circle, drawing, gradient, line, polygon, rect, repeat, type Scene } from './draw.ts';

/** Typical company colours. */
export const INKS = ['#0f4c5c', '#b3372c', '#2b6cb0', '#2f7d5b', '#7a3e9d', '#d9740f', '#23282c', '#c2185b'] as const;

/** A company logo on white, made of simple shapes. */
export const logoScene: Scene = (chance) => {
  const [ink, second] = [chance.pick(INKS), chance.pick(INKS)];
  const mark = chance.pick([hexagonMark, sunMark, boltMark, barsMark, ringsMark]);
  const letters = chance.whole(4, 7);
  const word = repeat(letters, (i) =>
    rect(408 - letters * 29 + i * 58, 420, chance.whole(30, 46), chance.pick([46, 46, 64]), ink, 'rx="8"'),
  );
  return drawing(
    [rect(0, 0, 800, 600, '#ffffff'), mark(ink, second), word, rect(210, 510, 380, 10, second, 'rx="5" opacity="0.6"')],
    800,
    600,
  );
};

function hexagonMark(ink: string, second: string): string {
  const around = (radius: number) =>
    [0, 1, 2, 3, 4, 5].map(
      (i) => [400 + radius * Math.sin((i * Math.PI) / 3), 230 - radius * Math.cos((i * Math.PI) / 3)] as const,
    );
  return polygon(around(130), ink) + polygon(around(86), '#ffffff') + polygon(around(52), second);
}

function sunMark(ink: string, second: string): string {
  const ray = (i: number) => {
    const angle = (i * Math.PI) / 6;
    return line(
      400 + 96 * Math.cos(angle),
      230 + 96 * Math.sin(angle),
      400 + 136 * Math.cos(angle),
      230 + 136 * Math.sin(angle),
      second,
      16,
    );
  };
  return repeat(12, ray) + circle(400, 230, 72, ink);
}

function boltMark(ink: string, second: string): string {
  return (
    circle(400, 230, 130, ink) +
    polygon(
      [
        [420, 130],
        [340, 250],
        [394, 250],
        [376, 334],
        [466, 206],
        [410, 206],
      ],
      '#ffffff',
    ) +
    circle(400, 230, 130, 'none', `stroke="${second}" stroke-width="12"`)
  );
}

function barsMark(ink: string, second: string): string {
  return repeat(5, (i) =>
    rect(280 + i * 52, 330 - (i + 1) * 42, 36, (i + 1) * 42, i % 2 === 0 ? ink : second, 'rx="6"'),
  );
}

function ringsMark(ink: string, second: string): string {
  return (
    circle(350, 230, 92, 'none', `stroke="${ink}" stroke-width="26"`) +
    circle(452, 230, 92, 'none', `stroke="${second}" stroke-width="26"`)
  );
}

/** A framed certificate with a seal. */
export const certificateScene: Scene = (chance) => {
  const ink = chance.pick(INKS);
  const paper = gradient(['#fffdf6', '#f3ead4']);
  const row = (i: number) =>
    rect(600 - 260 + chance.whole(0, 40), 400 + i * 38, chance.whole(420, 520), 10, '#8b8674', 'rx="5" opacity="0.6"');
  return drawing([
    rect(0, 0, 1200, 900, chance.pick(['#5d4a39', '#2d3a45', '#6d6256'])),
    paper.def,
    rect(110, 70, 980, 760, paper.fill, 'rx="6"'),
    rect(144, 104, 912, 692, 'none', `stroke="${ink}" stroke-width="8"`),
    rect(160, 120, 880, 660, 'none', `stroke="${ink}" stroke-width="2"`),
    rect(400, 190, 400, 30, ink, 'rx="15"'),
    rect(330, 260, 540, 52, '#3b3a35', 'rx="10" opacity="0.85"'),
    repeat(4, row),
    line(250, 690, 480, 690, '#3b3a35', 3),
    `<path d="M270 682 q 30 -60 60 -6 t 60 -10 t 60 4" stroke="#2b4a8a" stroke-width="5" fill="none"/>`,
    polygon(
      [
        [850, 650],
        [820, 780],
        [872, 744],
        [924, 780],
        [900, 650],
      ],
      ink,
    ),
    repeat(16, (i) =>
      circle(872 + 82 * Math.cos((i * Math.PI) / 8), 630 + 82 * Math.sin((i * Math.PI) / 8), 20, '#d9a520'),
    ),
    circle(872, 630, 84, '#e8b93a'),
    circle(872, 630, 58, 'none', 'stroke="#fff3cf" stroke-width="6"'),
  ]);
};
