import AddIcon from '@mui/icons-material/PersonAddAltOutlined';
import LockIcon from '@mui/icons-material/LockOutlined';
import MailIcon from '@mui/icons-material/MailOutlined';
import { useState } from 'react';
import { readPeople, withdrawInvitation, withdrawReset } from '../../api/people.ts';
import type { Invitation, MadeLink } from '../../domain/protocol/people.ts';
import { ROLE_WORDS, ROLES } from '../../domain/roles.ts';
import { useMay } from '../../stores/session.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatDeadline } from '../../ui/format.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Surface } from '../../ui/surface.tsx';
import { Explained, Line, Lines, LoadState, SheetHeading } from './account-parts.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { PersonLine } from './person-line.tsx';
import { RequiredFactor } from './required-factor.tsx';
import { useServerData } from './use-server-data.ts';
import '../../fields/fields.css';
import { say, t } from '../../language/t.ts';

/** A new link and the person it is for. */
interface Offered {
  readonly link: MadeLink;
  readonly name: string;
}

/** Lets owners manage people: invitations, roles, password links and removal. */
export default function PeopleScreen() {
  const mayManage = useMay('owner');
  return mayManage ? <People /> : <NotForYou />;
}

function People() {
  const data = useServerData(readPeople);
  const [inviting, setInviting] = useState(false);
  const [offered, setOffered] = useState<Offered>();
  const offer = (link: MadeLink, name: string) => {
    setOffered({ link, name });
    data.reload();
  };
  const { people = [], invitations = [], resets = [] } = data.value ?? {};
  return (
    <>
      <PageHeader
        title={t('People')}
        subtitle={t('Who can sign in, and what they may do')}
        actions={
          <Button variant="contained" startIcon={<AddIcon />} onClick={() => setInviting(true)}>
            {t('Invite')}
          </Button>
        }
      />
      <LoadState data={data} />
      {people.length > 0 && (
        <Surface aria-label={t('People')}>
          <Lines>
            {people.map((person) => (
              <PersonLine key={person.id} person={person} act={data.act} onLink={offer} />
            ))}
          </Lines>
        </Surface>
      )}
      {invitations.length > 0 && (
        <Links
          title={t('Invited')}
          links={invitations}
          withdrawLabel={(name) => t('Withdraw the invitation of {name}', { name })}
          onWithdraw={async ({ id, name }) => {
            if (await asksToWithdraw(t('Withdraw the invitation of {name}?', { name })))
              await data.act(() => withdrawInvitation(id));
          }}
        />
      )}
      {resets.length > 0 && (
        <Links
          title={t('Password links')}
          links={resets}
          withdrawLabel={(name) => t('Withdraw the password link of {name}', { name })}
          onWithdraw={async ({ id, name }) => {
            if (await asksToWithdraw(t('Withdraw the password link of {name}?', { name })))
              await data.act(() => withdrawReset(id));
          }}
        />
      )}
      {people.length > 0 && <RequiredFactor required={data.value?.secondFactorRequired === true} act={data.act} />}
      {people.length > 0 && <Roles />}
      {inviting && <InviteDialog onInvited={offer} onClose={() => setInviting(false)} />}
      {offered && <LinkDialog {...offered} onClose={() => setOffered(undefined)} />}
    </>
  );
}

interface LinksProps {
  readonly title: string;
  readonly links: readonly Invitation[];
  readonly withdrawLabel: (name: string) => string;
  readonly onWithdraw: (link: Invitation) => Promise<void>;
}

/** Open links, which an owner can withdraw. */
function Links({ title, links, withdrawLabel, onWithdraw }: LinksProps) {
  return (
    <>
      <SheetHeading>{title}</SheetHeading>
      <Surface>
        <Lines>
          {links.map((link) => {
            const { id, name, email, role, expiresAt } = link;
            return (
              <Line
                key={id}
                mark={<MailIcon />}
                title={name}
                note={t('{email} · {role} · until {time}', {
                  email,
                  role: say(ROLE_WORDS[role].label),
                  time: formatDeadline(Date.parse(expiresAt)),
                })}
              >
                <Button
                  variant="outlined"
                  color="inherit"
                  aria-label={withdrawLabel(name)}
                  onClick={() => void onWithdraw(link)}
                >
                  {t('Withdraw')}
                </Button>
              </Line>
            );
          })}
        </Lines>
      </Surface>
    </>
  );
}

function asksToWithdraw(title: string): Promise<boolean> {
  const text = t('The link stops working at once. You can make a new one at any time.');
  return confirm({ title, text, confirmLabel: t('Withdraw'), destructive: true });
}

/** Explains the roles. */
function Roles() {
  return (
    <>
      <SheetHeading>{t('Roles')}</SheetHeading>
      <Explained>
        {ROLES.toReversed().map((role) => (
          <span key={role} style={{ display: 'block' }}>
            <strong>{say(ROLE_WORDS[role].label)}:</strong> {say(ROLE_WORDS[role].may)}.
          </span>
        ))}
      </Explained>
    </>
  );
}

function NotForYou() {
  return (
    <>
      <PageHeader title={t('People')} />
      <EmptyState icon={<LockIcon />} title={t('Only owners manage people')}>
        {t('Ask an owner to invite someone or to change your role.')}
      </EmptyState>
    </>
  );
}
