import type { Device } from './device.ts';

/** A page with a list of inverters, and its servers. */
export interface Subject {
  readonly name: 'ours' | 'ours with pictures' | 'bare page';
  /** Path of the list's screen on its server. */
  readonly path: string;
  readonly selectors: {
    /** Selector of the rows. */
    readonly row: string;
    readonly search: string;
    /** Selector of the control that sorts by brand. */
    readonly sort: string;
    /** Selector of the rows' checkboxes. */
    readonly select: string;
  };
  /** The address of a server of the page with this many rows. Started on first use. */
  serve(rows: number): Promise<string>;
  /** Prepares a browser for its first visit to the server with this many rows. Signs in if necessary. */
  prepare(device: Device, address: string, rows: number): Promise<void>;
  /** Waits until the device has everything that makes a repeat visit fast. */
  settle(device: Device, address: string): Promise<void>;
  close(): Promise<void>;
}
