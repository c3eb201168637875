import { SHARE_FAILED, SHARE_FIELD, SHARE_PATH } from '../src/domain/share.ts';
import { keepShared } from '../src/offline/drafts/shared-photos.ts';
import type { WorkerScope } from './scope.ts';

/**
 * Receives photos from the device's share sheet and opens the screen that asks what they are for. This is the only request
 * other than a GET that the worker answers. It never reaches a server, and the engine that loses request bodies in workers
 * has no share targets.
 */
export function takeShared(scope: WorkerScope): void {
  scope.addEventListener('fetch', (event) => {
    const { method, url } = event.request;
    if (method === 'POST' && new URL(url).pathname === SHARE_PATH) event.respondWith(keepAndOpen(event.request));
  });
}

async function keepAndOpen(request: Request): Promise<Response> {
  let opened = SHARE_FAILED;
  try {
    const form = await request.formData();
    const photos = form.getAll(SHARE_FIELD).filter((part) => part instanceof File);
    await keepShared(photos, Date.now());
    opened = SHARE_PATH;
  } catch (failure) {
    // the screen says so: otherwise the browser would show an error page of its own
    console.error(failure);
  }
  return Response.redirect(opened, 303);
}
