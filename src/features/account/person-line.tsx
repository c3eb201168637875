import MoreIcon from '@mui/icons-material/MoreHoriz';
import { useState } from 'react';
import { endAllSessions, makeResetLink, removePerson, setRole } from '../../api/people.ts';
import { resetSecondFactor } from '../../api/second-factor.ts';
import { messageOf } from '../../api/failure.ts';
import type { MadeLink, Person } from '../../domain/protocol/people.ts';
import { type Role, ROLE_WORDS, ROLES } from '../../domain/roles.ts';
import { notify } from '../../stores/notifications.ts';
import { useSession } from '../../stores/session.ts';
import { IconButton } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { formatAgo } from '../../ui/format.ts';
import { optional } from '../../ui/late.tsx';
import { useFreshSignIn } from '../auth/use-fresh-sign-in.tsx';
import { Chip, Line } from './account-parts.tsx';
import type { ServerData } from './use-server-data.ts';
import { say, t } from '../../language/t.ts';

const ActionMenu = optional(() => import('../../resource/list/action-menu.tsx'));

interface Props {
  person: Person;
  act: ServerData<unknown>['act'];
  /** Called with a new link for this person. */
  onLink: (link: MadeLink, name: string) => void;
}

/** One administrator: name, role, last activity, and the actions of an owner. */
export function PersonLine({ person, act, onLink }: Props) {
  const { freshly, dialog } = useFreshSignIn();
  const isSelf = useSession(({ user }) => user?.id === person.id);
  const { id, name, email, role, hasSecondFactor, lastSeenAt } = person;
  const seen =
    lastSeenAt === undefined ? t('logged out') : t('seen {time}', { time: agoWords(Date.parse(lastSeenAt)) });
  return (
    <Line
      mark={name.trim().charAt(0).toUpperCase()}
      title={
        <>
          {name}
          {isSelf && <Chip>{t('You')}</Chip>}
        </>
      }
      note={`${email} · ${seen}${hasSecondFactor ? ` · ${t('second factor')}` : ''}`}
    >
      <select
        className="control"
        aria-label={t('Role of {name}', { name })}
        value={role}
        disabled={isSelf}
        onChange={({ target }) => {
          const chosen = target.value as Role;
          void act(() => freshly(() => setRole(id, chosen)));
        }}
      >
        {ROLES.map((one) => (
          <option key={one} value={one}>
            {say(ROLE_WORDS[one].label)}
          </option>
        ))}
      </select>
      {dialog}
      {!isSelf && <PersonMenu person={person} act={act} onLink={onLink} />}
    </Line>
  );
}

function PersonMenu({ person: { id, name, hasSecondFactor }, act, onLink }: Props) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [used, setUsed] = useState(false);
  const { freshly, dialog } = useFreshSignIn();
  const reset = async () => {
    try {
      onLink(await freshly(() => makeResetLink(id)), name);
    } catch (caught) {
      notify(messageOf(caught), { kind: 'error' });
    }
  };
  const remove = async () => {
    const text = t(
      'All their sessions end. What they saved is kept; changes still waiting on their devices stay there.',
    );
    const question = { title: t('Remove {name}?', { name }), text, confirmLabel: t('Remove'), destructive: true };
    if (await confirm(question)) await act(() => freshly(() => removePerson(id)));
  };
  const forget = async () => {
    const text = t(
      'For someone who has lost theirs. They can then sign in with the password alone, and all their sessions end.',
    );
    const question = {
      title: t('Reset the second factor of {name}?', { name }),
      text,
      confirmLabel: t('Reset'),
      destructive: true,
    };
    if (await confirm(question)) await act(() => freshly(() => resetSecondFactor(id)));
  };
  return (
    <>
      {dialog}
      <IconButton
        type="button"
        style={{ minWidth: 44, minHeight: 44 }}
        aria-haspopup="menu"
        aria-label={t('More for {name}', { name })}
        onClick={(event) => {
          setUsed(true);
          setAnchor(event.currentTarget);
        }}
      >
        <MoreIcon />
      </IconButton>
      {used && (
        <ActionMenu
          anchor={anchor}
          onClose={() => setAnchor(null)}
          onMissing={() => setUsed(false)}
          actions={[
            { label: t('New password link'), run: () => void reset() },
            ...(hasSecondFactor ? [{ label: t('Reset second factor'), run: () => void forget() }] : []),
            { label: t('Log out everywhere'), run: () => void act(() => endAllSessions(id)) },
            { label: t('Remove'), run: () => void remove() },
          ]}
        />
      )}
    </>
  );
}

function agoWords(at: number): string {
  return formatAgo(at, Date.now());
}
