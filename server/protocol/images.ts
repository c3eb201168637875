import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ResourceName } from '../../src/domain/resource.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { carryOut } from '../stores/sqlite/execute-change.ts';
import { noteRequest, snapshotOf } from '../stores/sqlite/history.ts';
import type { Database } from '../stores/sqlite/tables.ts';
import { rowOf } from '../stores/sqlite/read.ts';
import { formOf } from './submitted.ts';
import { deleteImage } from '../stores/sqlite/write.ts';
import { assertVersion } from '../stores/sqlite/versions.ts';
import { notFound } from '../refusal.ts';
import type { Services } from '../services.ts';
import { idIn } from './ids.ts';

type ById = { Params: { id: string } };

/** Removal of one stored image, on the version of its record that was seen. Image ids are unique over all kinds of record. */
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
    check: async (db) => {
      const { resource, recordId } = await imageOf(db, id);
      assertVersion(request.headers['if-match'], (await rowOf(db, resource, recordId)).version);
    },
    apply: async (writing) => {
      const image = await imageOf(writing, id);
      const { resource } = image;
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
  const resource = resourceOf(row.resource as ResourceName);
  return { id: row.id, image: row.image, resource, recordId: row.record_id };
}
