import { DEVICES_PATH, type PersonsDevice } from '../domain/protocol/devices.ts';
import { get, post } from './request.ts';

/** Everything here needs a live answer from the server, and throws ApiFailure. */

/** Returns the devices of all people. */
export async function readDevices(): Promise<readonly PersonsDevice[]> {
  return (await get(DEVICES_PATH)).body as readonly PersonsDevice[];
}

/** Removes a device from the list. Returns the server's message. */
export async function forgetDevice(id: string): Promise<string> {
  return ((await post(`${DEVICES_PATH}/${id}/forget`)).body as { message: string }).message;
}
