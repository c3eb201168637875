import { useColorScheme } from '@mui/material/styles';
import { useEffect, useMemo, useState } from 'react';
import { useReceipts } from '../../api/live.ts';
import { workedOn } from '../../features/outbox/entry-links.ts';
import { sendNow } from '../../features/outbox/send-now.ts';
import { knownRows } from '../../api/reads.ts';
import { refreshWatched } from '../../api/sources.ts';
import { RESOURCES } from '../../domain/resources/index.ts';
import { siteMeta } from '../../domain/resources/site-meta.ts';
import { useServerAbilities } from '../../stores/server-abilities.ts';
import { useMay } from '../../stores/session.ts';
import { openPanel } from '../../stores/panels.ts';
import { useLogOut } from '../log-out/use-log-out.ts';
import { actionFind, type Find, recentFinds, recordFinds, screenFinds } from './finds.ts';
import { t } from '../../language/t.ts';

/** Returns everything searchable: screens and actions at once, records once the device's copies have been read. */
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
  const recent = useRecent();
  return useMemo(() => [...recent, ...screens, ...actions, ...records], [recent, screens, actions, records]);
}

/** Number of recent records. Others are found by name. */
const RECENT = 4;

/** Records last worked on, on this device, without duplicates. */
function useRecent(): readonly Find[] {
  const receipts = useReceipts();
  return useMemo(() => {
    const worked = workedOn(receipts ?? []).slice(0, RECENT);
    return recentFinds(
      worked.map(({ entry: { change, title: label }, link: to }) => {
        const kind = change.resource === siteMeta.name ? {} : { resource: change.resource };
        return { label, to, ...kind };
      }),
    );
  }, [receipts]);
}

/** The screens this administrator may use. */
function useScreens(): readonly Find[] {
  const mayEdit = useMay('editor');
  const own = useServerAbilities(({ people = false }) => people);
  const manages = useMay('owner') && own;
  const keepsDeleted = useServerAbilities(({ trash }) => trash !== undefined);
  return useMemo(() => screenFinds({ mayEdit, own, manages, keepsDeleted }), [mayEdit, own, manages, keepsDeleted]);
}

async function readRecords(): Promise<readonly Find[]> {
  const lists = RESOURCES.map(async (resource) => recordFinds(resource, await knownRows(resource)));
  return (await Promise.all(lists)).flat();
}

function useActions(): readonly Find[] {
  const logOut = useLogOut();
  const { setMode } = useColorScheme();
  return [
    actionFind(t('Send now'), () => void sendNow(), t('sync upload')),
    actionFind(t('Refresh this page’s data'), refreshWatched, t('reload update')),
    actionFind(t('Light appearance'), () => setMode('light'), t('theme mode bright')),
    actionFind(t('Dark appearance'), () => setMode('dark'), t('theme mode night')),
    actionFind(t('System appearance'), () => setMode('system'), t('theme mode')),
    actionFind(t('Scan a code'), () => openPanel('scan'), t('qr barcode camera serial label')),
    actionFind(t('Help'), () => openPanel('help'), t('shortcuts keys')),
    actionFind(t('Logout'), logOut, t('sign out log off')),
  ];
}
