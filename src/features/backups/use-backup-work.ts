import { useEffect, useState } from 'react';
import { readBackupWork } from '../../api/backups.ts';
import type { BackupWork } from '../../domain/protocol/backups.ts';
import { useLatest } from '../../ui/use-latest.ts';

/** Pause between two looks. Milliseconds. */
const LOOK_AGAIN = 1500;

/** What the server does with backups while `isRunning`; undefined before the first look. Calls `onEnd` when it has ended. */
export function useBackupWork(isRunning: boolean, onEnd: () => void): BackupWork | undefined {
  const [work, setWork] = useState<BackupWork>();
  const end = useLatest(onEnd);
  useEffect(() => {
    if (!isRunning) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const look = async () => {
      // a look that fails is repeated: the connection may be back then
      const seen = await readBackupWork().catch(() => undefined);
      if (isOver) return;
      if (seen !== undefined && seen.running === undefined) return end.current();
      if (seen !== undefined) setWork(seen);
      timer = setTimeout(() => void look(), LOOK_AGAIN);
    };
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
      setWork(undefined);
    };
  }, [isRunning, end]);
  return work;
}
