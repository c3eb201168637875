import { useEffect, useRef, useState } from 'react';
import { type Following, followPresence } from '../../api/presence.ts';
import type { OpenRecord, Present } from '../../domain/protocol/presence.ts';
import { useServerAbilities } from '../../stores/server-abilities.ts';
import { useHasUnsavedWork } from '../../stores/unsaved.ts';
import { Initials } from '../../ui/initials.tsx';
import { joinedNames } from './joined-names.ts';
import './others-here.css';
import { t } from '../../language/t.ts';

const NOBODY: readonly Present[] = [];

/** Who else has this record open. In the line below the heading, so that it moves nothing. */
export function OthersHere(record: OpenRecord) {
  const isKnown = useServerAbilities(({ presence }) => presence);
  return isKnown === true ? <Names key={`${record.resource}/${record.id}`} {...record} /> : null;
}

function Names({ resource, id }: OpenRecord) {
  const present = usePresent(resource, id);
  return (
    <output className="others-here">
      {present.map(({ name }) => (
        <Initials key={name} name={name} />
      ))}
      {present.length > 0 && (
        <span className="others-words" title={wordsFor(present)}>
          {wordsFor(present)}
        </span>
      )}
    </output>
  );
}

function usePresent(resource: OpenRecord['resource'], id: number): readonly Present[] {
  const [present, setPresent] = useState(NOBODY);
  const following = useRef<Following>(undefined);
  const isTyping = useHasUnsavedWork();
  useEffect(() => {
    const begun = followPresence({ resource, id }, setPresent);
    following.current = begun;
    return begun.stop;
  }, [resource, id]);
  useEffect(() => following.current?.typing(isTyping), [isTyping]);
  return present;
}

/** "Anna is editing this", "Anna and Omar have this open", "Anna and 2 others …". */
function wordsFor(present: readonly Present[]): string {
  const typing = present.filter((person) => person.isTyping);
  if (typing.length > 0)
    return t('{names} {count, plural, one {is} other {are}} editing this', {
      names: joinedNames(typing.map(({ name }) => name)),
      count: typing.length,
    });
  return t('{names} {count, plural, one {has} other {have}} this open', {
    names: joinedNames(present.map(({ name }) => name)),
    count: present.length,
  });
}
