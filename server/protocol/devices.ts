import type { FastifyInstance } from 'fastify';
import { DEVICES_PATH } from '../../src/domain/protocol/devices.ts';
import { notFound } from '../errors/refusal.ts';
import type { Devices } from '../stores/devices.ts';

/** Routes for owners: the devices of all people, and the removal of one from the list. */
export function deviceRoutes(app: FastifyInstance, devices: Devices): void {
  app.get(DEVICES_PATH, () => devices.list());
  app.post<{ Params: { id: string } }>(`${DEVICES_PATH}/:id/forget`, async (request) => {
    if (!(await devices.forget(request.params.id))) throw notFound('This device is not listed any more.');
    return { message: 'Device removed from the list' };
  });
}
