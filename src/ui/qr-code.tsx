import { styled } from '@mui/material/styles';
import { useMemo } from 'react';
import { encode } from 'uqr';

/** A QR code. Dark on white in both colour schemes, so that cameras can read it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const source = useMemo(() => `data:image/svg+xml,${encodeURIComponent(drawing(text))}`, [text]);
  return <Sheet src={source} alt={label} width="224" height="224" />;
}

/** Draws a code as SVG. A module is one unit, and the quiet zone is four modules, as the standard requires. */
function drawing(text: string): string {
  const { size, data } = encode(text, { border: 4 });
  const squares = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  const box = `viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${box}><path d="${squares.join('')}"/></svg>`;
}

const Sheet = styled('img')({
  display: 'block',
  maxWidth: '100%',
  marginInline: 'auto',
  borderRadius: 12,
  backgroundColor: '#fff',
});
