import MoreIcon from '@mui/icons-material/MoreHoriz';
import { lazy, Suspense, useState } from 'react';
import { endAllSessions, makeResetLink, removePerson, setRole } from '../../api/people.ts';
import { resetSecondFactor } from '../../api/second-factor.ts';
import { messageOf } from '../../api/failure.ts';
import type { MadeLink, Person } from '../../domain/protocol/people.ts';
import { type Role, ROLE_WORDS, ROLES } from '../../domain/roles.ts';
import { notify } from '../../stores/notifications.ts';
import { useSession } from '../../stores/session.ts';
import { IconButton } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { formatAge } from '../../ui/format.ts';
import { useFreshSignIn } from '../auth/use-fresh-sign-in.tsx';
import { Chip, Line } from './account-parts.tsx';
import type { Asked } from './use-asked.ts';

const ActionMenu = lazy(() => import('../../resource/list/action-menu.tsx'));

interface Props {
  person: Person;
  act: Asked<unknown>['act'];
  /** A link was made for this person. */
  onLink: (link: MadeLink, name: string) => void;
}

/** One administrator: name, role, when last seen, and what an owner can do about them. */
export function PersonLine({ person, act, onLink }: Props) {
  const isSelf = useSession(({ user }) => user?.id === person.id);
  const { id, name, email, role, hasSecondFactor, lastSeenAt } = person;
  const seen = lastSeenAt === undefined ? 'signed out' : `seen ${ageWords(Date.parse(lastSeenAt))}`;
  return (
    <Line
      mark={name.trim().charAt(0).toUpperCase()}
      title={
        <>
          {name}
          {isSelf && <Chip>You</Chip>}
        </>
      }
      note={`${email} · ${seen}${hasSecondFactor ? ' · second factor' : ''}`}
    >
      <select
        className="control"
        aria-label={`Role of ${name}`}
        value={role}
        disabled={isSelf}
        onChange={(event) => void act(() => setRole(id, event.target.value as Role))}
      >
        {ROLES.map((one) => (
          <option key={one} value={one}>
            {ROLE_WORDS[one].label}
          </option>
        ))}
      </select>
      {!isSelf && <PersonMenu person={person} act={act} onLink={onLink} />}
    </Line>
  );
}

function PersonMenu({ person: { id, name, hasSecondFactor }, act, onLink }: Props) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [used, setUsed] = useState(false);
  const reset = async () => {
    try {
      onLink(await makeResetLink(id), name);
    } catch (caught) {
      notify(messageOf(caught), { kind: 'error' });
    }
  };
  const remove = async () => {
    const text = 'All their sessions end. What they saved stays; what still waits on their devices stays there.';
    const question = { title: `Remove ${name}?`, text, confirmLabel: 'Remove', destructive: true };
    if (await confirm(question)) await act(() => removePerson(id));
  };
  const { freshly, dialog } = useFreshSignIn();
  const forget = async () => {
    const text = 'For somebody who has lost it. The password alone lets them in then, and all their sessions end.';
    const question = { title: `Reset the second factor of ${name}?`, text, confirmLabel: 'Reset', destructive: true };
    if (await confirm(question)) await act(() => freshly(() => resetSecondFactor(id)));
  };
  return (
    <>
      {dialog}
      <IconButton
        type="button"
        style={{ minWidth: 44, minHeight: 44 }}
        aria-haspopup="menu"
        aria-label={`More for ${name}`}
        onClick={(event) => {
          setUsed(true);
          setAnchor(event.currentTarget);
        }}
      >
        <MoreIcon />
      </IconButton>
      {used && (
        <Suspense fallback={null}>
          <ActionMenu
            anchor={anchor}
            onClose={() => setAnchor(null)}
            actions={[
              { label: 'New password link', run: () => void reset() },
              ...(hasSecondFactor ? [{ label: 'Reset second factor', run: () => void forget() }] : []),
              { label: 'Sign out everywhere', run: () => void act(() => endAllSessions(id)) },
              { label: 'Remove', run: () => void remove() },
            ]}
          />
        </Suspense>
      )}
    </>
  );
}

function ageWords(at: number): string {
  const age = formatAge(at, Date.now());
  return age === 'just now' ? age : `${age} ago`;
}
