import { forgetDevice, readDevices } from '../../api/devices.ts';
import { isSilent, type PersonsDevice } from '../../domain/protocol/devices.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { formatAgo } from '../../ui/format.ts';
import { Surface } from '../../ui/surface.tsx';
import { colour } from '../../ui/tokens.ts';
import { useNow } from '../outbox/use-now.ts';
import { Chip, Explained, Line, Lines, LoadState, SheetHeading } from './account-parts.tsx';
import { DeviceIcon, stateOn } from './device-words.tsx';
import { useServerData } from './use-server-data.ts';
import { say, t } from '../../language/t.ts';

/** The devices of all people, for owners: whose, last seen, and what waits there. */
export function AllDevices() {
  const data = useServerData(readDevices);
  const now = useNow(60_000);
  const forget = async ({ id, person, device, waiting = 0 }: PersonsDevice) => {
    const text =
      waiting === 0
        ? t('It is listed again when it reports.')
        : t(
            '{count, plural, one {# change waits there and is} other {# changes wait there and are}} nowhere else. It is listed again when it reports.',
            { count: waiting },
          );
    const title = t('Remove {device} of {person} from the list?', { device: say(device), person });
    if (await confirm({ title, text, confirmLabel: t('Remove') })) await data.act(() => forgetDevice(id));
  };
  return (
    <>
      <SheetHeading>{t('Devices of everyone')}</SheetHeading>
      <Explained>{t('As each one last reported. What waits on a device is nowhere else until it is sent.')}</Explained>
      <LoadState data={data} />
      {data.value !== undefined && data.value.length > 0 && (
        <Surface aria-label={t('Devices of everyone')}>
          <Lines>
            {data.value.map((device) => (
              <Line
                key={device.id}
                mark={<DeviceIcon device={device.device} />}
                tone={isSilent(device, now) ? colour.bad : colour.brand}
                title={<Title device={device} now={now} />}
                note={[
                  t('Last seen {time}', { time: formatAgo(Date.parse(device.lastSeenAt), now) }),
                  ...stateOn(device, now),
                ].join(' · ')}
              >
                <Button
                  variant="outlined"
                  color="inherit"
                  aria-label={t('Remove {device} of {person}', { device: say(device.device), person: device.person })}
                  onClick={() => void forget(device)}
                >
                  {t('Remove')}
                </Button>
              </Line>
            ))}
          </Lines>
        </Surface>
      )}
    </>
  );
}

function Title({ device, now }: { device: PersonsDevice; now: number }) {
  return (
    <>
      {t('{person}, {device}', { person: device.person, device: say(device.device) })}
      {isSilent(device, now) && <Chip tone={colour.bad}>{t('Silent with changes')}</Chip>}
    </>
  );
}
