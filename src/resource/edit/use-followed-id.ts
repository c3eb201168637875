import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { isLocalId, type RecordId } from '../../domain/outbox/vocabulary.ts';
import { type Resource, routesOf } from '../../domain/resource.ts';

/**
 * Follows a record made on this device to the server's id as soon as it has one: the address changes, the open form stays.
 * Answers a key that is the same before and after.
 */
export function useFollowedId(resource: Resource, id: RecordId, serverId: number | undefined): string {
  const navigate = useNavigate();
  const location = useLocation();
  const [followed, setFollowed] = useState({ key: id, id });
  const from = (location.state as { followedFrom?: RecordId } | null)?.followedFrom;
  if (followed.id !== id) setFollowed({ key: from === followed.id ? followed.key : id, id });

  useEffect(() => {
    if (!isLocalId(id) || serverId === undefined) return;
    void navigate(routesOf(resource).edit(serverId), { replace: true, state: { followedFrom: id, samePage: true } });
  }, [id, serverId, resource, navigate]);
  return followed.id === id ? followed.key : id;
}
