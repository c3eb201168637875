import type { DeviceReport, PersonsDevice } from '../../src/domain/protocol/devices.ts';

/** A report that a signed-in page sent along with a request. */
export interface ReceivedReport extends DeviceReport {
  /** The display name of the browser and its system. */
  readonly device: string;
  /** Changes waiting on the device. */
  readonly waiting: number;
}

/** The sender of a report. */
interface Sender {
  readonly user: { readonly id: number };
  readonly tokenHash: string;
}

/** What each person's devices last reported. */
export interface Devices {
  note(sender: Sender, report: ReceivedReport): Promise<void>;
  /** Notes that a device sends by itself, without its page: nobody knows any more what waits there. */
  sends(sender: Sender): Promise<void>;
  /** All devices, those with waiting changes first, then the most recently seen. */
  list(): Promise<PersonsDevice[]>;
  /** Forgets a device until it reports again. Returns false if there is none. */
  forget(id: string): Promise<boolean>;
}
