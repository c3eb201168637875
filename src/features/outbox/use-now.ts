import { useEffect, useState } from 'react';

/** The present moment, renewed every so many milliseconds, for words like "3 min ago". */
export function useNow(every: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}
