/** Every device that people use, for owners, on a server that manages sessions itself. */
export const DEVICES_PATH = '/api/devices';

/** The header in which a page reports the state of its device, along with the number of waiting changes. */
export const DEVICE_HEADER = 'X-Device';

/** The state of a device, as its page reports it. */
export interface DeviceReport {
  /** Random, made by the device. Distinguishes the devices of one person, and says nothing else. */
  readonly id: string;
  /** The build of the app. */
  readonly version: string;
  /** When the oldest waiting change was saved, in epoch seconds. Absent if none waits. */
  readonly since?: number;
  /** The browser's estimate of what the app stores and may store, in megabytes. Absent if the browser does not tell. */
  readonly used?: number;
  readonly quota?: number;
}

/** Writes a report as the value of its header: the id, the version and three numbers, with a minus for what is unknown. */
export function writeReport({ id, version, since, used, quota }: DeviceReport): string {
  return [id, version, since ?? '-', used ?? '-', quota ?? '-'].join(' ');
}

const REPORT = /^([\w-]{8,40}) ([\w.-]{1,60}) (\d{1,11}|-) (\d{1,9}|-) (\d{1,9}|-)$/;

/** Reads the value of the header. Undefined for anything else. */
export function readReport(text: string): DeviceReport | undefined {
  const [, id, version, ...numbers] = REPORT.exec(text) ?? [];
  if (id === undefined || version === undefined) return undefined;
  const [since, used, quota] = numbers.map((number) => (number === '-' ? undefined : Number(number)));
  return {
    id,
    version,
    ...(since === undefined ? {} : { since }),
    ...(used === undefined ? {} : { used }),
    ...(quota === undefined ? {} : { quota }),
  };
}

/** A device of a person. Times are ISO 8601 in UTC, sizes megabytes. */
export interface DeviceFacts {
  /** The browser and operating system: "Chrome on Android". */
  readonly device: string;
  readonly version: string;
  readonly lastSeenAt: string;
  /** Changes that waited at its latest report. Absent if it has sent some since, and nobody knows what is left. */
  readonly waiting?: number;
  /** Since when the oldest of them waits. */
  readonly waitingSince?: string;
  readonly used?: number;
  readonly quota?: number;
}

/** A device as owners see it. */
export interface PersonsDevice extends DeviceFacts {
  /** Identifies it for `POST …/:id/forget`. */
  readonly id: string;
  readonly person: string;
}

/** A device silent for this long with changes waiting is worth a look: they are nowhere else. Milliseconds. */
const SILENT_AFTER = 3 * 24 * 60 * 60 * 1000;

/** True for a device with waiting changes that nobody has heard of for days. `now` is epoch milliseconds. */
export function isSilent(
  { waiting = 0, lastSeenAt }: Pick<DeviceFacts, 'waiting' | 'lastSeenAt'>,
  now: number,
): boolean {
  return waiting > 0 && now - Date.parse(lastSeenAt) >= SILENT_AFTER;
}
