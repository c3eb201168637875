/** A catalogue page: a heading, a line below it, and facts in two columns. Texts outside Latin-1 lose their diacritics. */
export interface CataloguePage {
  readonly heading: string;
  readonly under: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** Red, green and blue, from 0 to 1. */
  readonly colour: readonly [number, number, number];
}

/** Creates a valid one-page PDF (A4, Helvetica) of a few kilobytes. */
export function cataloguePdf(page: CataloguePage): Buffer {
  const content = [
    `${page.colour.join(' ')} rg 0 742 595 100 re f`,
    words('F2', 26, 40, 790, page.heading, '1 1 1'),
    words('F1', 13, 40, 764, page.under, '1 1 1'),
    ...page.facts.flatMap(([label, value], row) => factRow(label, value, 690 - row * 30)),
    words('F1', 9, 40, 40, 'Sample catalogue. Values are examples and no offer.', '0.5 0.5 0.5'),
  ].join('\n');
  return assembled([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>',
  ]);
}

function factRow(label: string, value: string, y: number): string[] {
  return [
    words('F1', 12, 40, y, label, '0.35 0.38 0.4'),
    words('F2', 12, 230, y, value, '0.1 0.12 0.14'),
    `0.85 0.87 0.88 RG 40 ${y - 10} m 555 ${y - 10} l S`,
  ];
}

function words(font: string, size: number, x: number, y: number, text: string, colour: string): string {
  return `BT ${colour} rg /${font} ${size} Tf ${x} ${y} Td (${escaped(text)}) Tj ET`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\()]/g, '\\$&').replaceAll(/[^\x20-\xFF]/g, '?');
}

/** Numbers the objects and writes their offsets. */
function assembled(objects: readonly string[]): Buffer {
  let file = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file + table + trailer, 'latin1');
}
