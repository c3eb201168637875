import { useColorScheme } from '@mui/material/styles';
import { useEffect, useMemo, useState } from 'react';
import { outbox } from '../../api/outbox.ts';
import { listCopy, refreshWatched } from '../../api/sources.ts';
import { RESOURCES } from '../../domain/resources/index.ts';
import { told } from '../../resource/told.ts';
import { useServerAbilities } from '../../stores/server-abilities.ts';
import { useMay } from '../../stores/session.ts';
import { openPanel } from '../../stores/panels.ts';
import { useLogOut } from '../log-out/use-log-out.ts';
import { actionFind, type Find, recordFinds, screenFinds } from './finds.ts';

/** All that can be found: screens and actions at once, records as soon as the device's copies have been read. */
export function useFinds(): readonly Find[] {
  const actions = useActions();
  const [records, setRecords] = useState<readonly Find[]>([]);
  useEffect(() => {
    let wanted = true;
    void readRecords().then((found) => wanted && setRecords(found));
    return () => {
      wanted = false;
    };
  }, []);
  const screens = useScreens();
  return useMemo(() => [...screens, ...actions, ...records], [screens, actions, records]);
}

/** The screens that this administrator has a use for. */
function useScreens(): readonly Find[] {
  const mayEdit = useMay('editor');
  const own = useServerAbilities(({ people }) => people);
  const manages = useMay('owner') && own;
  return useMemo(() => screenFinds({ mayEdit, own, manages }), [mayEdit, own, manages]);
}

async function readRecords(): Promise<readonly Find[]> {
  const copies = RESOURCES.map((resource) => ({ resource, copy: listCopy(resource) }));
  await Promise.all(copies.map(({ copy }) => copy.load()));
  return copies.flatMap(({ resource, copy }) => recordFinds(resource, copy.state().value ?? []));
}

function useActions(): readonly Find[] {
  const logOut = useLogOut();
  const { setMode } = useColorScheme();
  return [
    actionFind('Send now', () => void told(outbox.sendNow(), 'Nothing was sent.')),
    actionFind('Refresh this page’s data', refreshWatched),
    actionFind('Light appearance', () => setMode('light')),
    actionFind('Dark appearance', () => setMode('dark')),
    actionFind('Appearance like the device', () => setMode('system')),
    actionFind('Help', () => openPanel('help')),
    actionFind('Logout', logOut),
  ];
}
