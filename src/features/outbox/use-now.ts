import { useEffect, useState } from 'react';

/** The current time, updated every `every` milliseconds, for texts such as "3 min ago". */
export function useNow(every: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}
