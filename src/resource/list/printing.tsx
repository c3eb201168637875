import { useEffect } from 'react';
import { useLatest } from '../../ui/use-latest.ts';
import { followPrinting, type PrintedList } from './print-list.ts';

/** Prints all rows of the list on the page when the browser prints. Renders nothing. */
export default function Printing(list: PrintedList): null {
  const latest = useLatest(list);
  useEffect(() => followPrinting(() => latest.current), [latest]);
  return null;
}
