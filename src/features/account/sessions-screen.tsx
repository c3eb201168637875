import { endOtherSessions, endSession, readSessions } from '../../api/sessions.ts';
import type { OpenSession } from '../../domain/protocol/sessions.ts';
import { useMay } from '../../stores/session.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { formatAgo, formatMoment } from '../../ui/format.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Surface } from '../../ui/surface.tsx';
import { AllDevices } from './all-devices.tsx';
import { Chip, Line, Lines, LoadState } from './account-parts.tsx';
import { DeviceIcon, stateOn } from './device-words.tsx';
import { type ServerData, useServerData } from './use-server-data.ts';
import { say, t } from '../../language/t.ts';

/** The user's sessions: device, last activity and address of each, with a way to end it. */
export default function SessionsScreen() {
  const data = useServerData(readSessions);
  const mayManage = useMay('owner');
  const sessions = data.value ?? [];
  const endOthers = async () => {
    const text = t('Changes waiting on those devices stay there until you sign in on them again.');
    if (await confirm({ title: t('Log out everywhere else?'), text, confirmLabel: t('Log out') })) {
      await data.act(endOtherSessions);
    }
  };
  return (
    <>
      <PageHeader
        title={t('Devices & sessions')}
        subtitle={t('Where you’re signed in')}
        actions={
          sessions.length > 1 && (
            <Button variant="outlined" color="inherit" onClick={() => void endOthers()}>
              {t('Log out everywhere else')}
            </Button>
          )
        }
      />
      <LoadState data={data} />
      {sessions.length > 0 && (
        <Surface aria-label={t('Sessions')}>
          <Lines>
            {sessions.map((session) => (
              <SessionLine key={session.id} session={session} act={data.act} />
            ))}
          </Lines>
        </Surface>
      )}
      {mayManage && <AllDevices />}
    </>
  );
}

function SessionLine({ session, act }: { session: OpenSession; act: ServerData<unknown>['act'] }) {
  const { id, device, isThis, waiting = 0 } = session;
  const end = async () => {
    const waits =
      waiting === 0
        ? ''
        : ` ${t('{count, plural, one {# change is} other {# changes are}} waiting there and will be kept.', { count: waiting })}`;
    const text = `${t('It will be logged out the next time it reaches the server.')}${waits}`;
    if (await confirm({ title: t('Log out {device}?', { device: say(device) }), text, confirmLabel: t('Log out') }))
      await act(() => endSession(id));
  };
  return (
    <Line
      mark={<DeviceIcon device={device} />}
      title={
        <>
          {say(device)}
          {isThis && <Chip>{t('This device')}</Chip>}
        </>
      }
      note={noteOn(session)}
    >
      {!isThis && (
        <Button
          variant="outlined"
          color="inherit"
          aria-label={t('Log out {device}', { device: say(device) })}
          onClick={() => void end()}
        >
          {t('Log out')}
        </Button>
      )}
    </Line>
  );
}

/** Last activity, address, sign-in time, and what its device last reported. */
function noteOn(session: OpenSession): string {
  const { lastSeenAt, signedInAt, address, isThis } = session;
  const now = Date.now();
  return [
    isThis ? t('In use now') : t('Last seen {time}', { time: formatAgo(Date.parse(lastSeenAt), now) }),
    ...(address === '' ? [] : [t('from {address}', { address })]),
    t('signed in {time}', { time: formatMoment(Date.parse(signedInAt), now) }),
    ...stateOn(session, now),
  ].join(' · ');
}
