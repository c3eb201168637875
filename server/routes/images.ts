import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ResourceName } from '../../src/domain/resource.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { carryOut } from '../changes/carry-out.ts';
import { noteRequest, snapshotOf } from '../changes/history.ts';
import type { Database } from '../database/tables.ts';
import { rowOf } from '../records/read.ts';
import { formOf } from '../records/submitted.ts';
import { deleteImage } from '../records/write.ts';
import { notFound } from '../refusal.ts';
import type { Services } from '../services.ts';
import { idIn } from './ids.ts';

type ById = { Params: { id: string } };

/** Removal of one stored image. Image ids are unique over all kinds of record. */
export function imageRoutes(app: FastifyInstance, services: Services): void {
  app.post<ById>('/api/delete-image/:id', (request, reply) => answerDelete(services, request, reply));
}

function answerDelete(services: Services, request: FastifyRequest<ById>, reply: FastifyReply) {
  const id = idIn(request.params.id);
  return carryOut(services, reply, {
    request,
    form: formOf(request),
    fields: [],
    files: [],
    check: async (db) => void (await imageOf(db, id)),
    apply: async (writing) => {
      const image = await imageOf(writing, id);
      const resource = resourceOf(image.resource as ResourceName);
      const content = async () => snapshotOf(writing, resource, await rowOf(writing, resource, image.recordId));
      const before = await content();
      const { version } = await deleteImage(services, writing, resource, image);
      await noteRequest(services, request, writing, {
        resource: resource.name,
        recordId: image.recordId,
        action: 'delete-image',
        before,
        after: await content(),
      });
      return { message: 'Image Deleted Successfully', version };
    },
  });
}

async function imageOf(db: Database, id: number | undefined) {
  const row =
    id === undefined ? undefined : await db.selectFrom('images').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw notFound('This image is not there any more.');
  return { id: row.id, image: row.image, resource: row.resource, recordId: row.record_id };
}
