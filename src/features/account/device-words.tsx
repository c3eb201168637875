import ComputerIcon from '@mui/icons-material/ComputerOutlined';
import PhoneIcon from '@mui/icons-material/TabletAndroidOutlined';
import { buildOfApp } from '../../api/device-report.ts';
import type { DeviceFacts } from '../../domain/protocol/devices.ts';
import { formatAgo, formatSize } from '../../ui/format.ts';
import { t } from '../../language/t.ts';

/** A tablet or a computer, by the name of the device. */
export function DeviceIcon({ device }: { device: string }) {
  return /Android|iPhone|iPad/.test(device) ? <PhoneIcon /> : <ComputerIcon />;
}

const MEGABYTE = 1_000_000;

type State = Partial<Pick<DeviceFacts, 'version' | 'waiting' | 'waitingSince' | 'used' | 'quota'>>;

/** What waits on a device and since when, its storage and whether it has the app that is open here. `now` is epoch milliseconds. */
export function stateOn({ version, waiting = 0, waitingSince, used, quota }: State, now: number): readonly string[] {
  const count = t('{count, plural, one {# change} other {# changes}} waiting there', { count: waiting });
  const since =
    waitingSince === undefined
      ? []
      : [t('the oldest saved {time}', { time: formatAgo(Date.parse(waitingSince), now) })];
  return [
    ...(waiting === 0 ? [] : [count, ...since]),
    ...(used === undefined || quota === undefined
      ? []
      : [t('{used} of {quota} used', { used: formatSize(used * MEGABYTE), quota: formatSize(quota * MEGABYTE) })]),
    ...(version === undefined
      ? []
      : [version === buildOfApp() ? t('same version of the app') : t('another version of the app')]),
  ];
}
