import type { Device } from './device.ts';

/** A page that shows a list of inverters, and its servers. */
export interface Subject {
  readonly name: 'ours' | 'ours with pictures' | 'bare page';
  /** Address of the list's screen on its server. */
  readonly path: string;
  readonly selectors: {
    /** The list's rows. */
    readonly row: string;
    readonly search: string;
    /** What sorts by brand when clicked. */
    readonly sort: string;
    /** The checkboxes of rows. */
    readonly select: string;
  };
  /** Address of a server of the page with so many rows; started when first asked for. */
  serve(rows: number): Promise<string>;
  /** Makes a browser ready for its first visit to the server of so many rows: signed in, where one has to be. */
  prepare(device: Device, address: string, rows: number): Promise<void>;
  /** Waits until everything that makes a repeat visit fast is on the device. */
  settle(device: Device, address: string): Promise<void>;
  close(): Promise<void>;
}
