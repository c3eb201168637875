import KeyIcon from '@mui/icons-material/KeyOutlined';
import LockIcon from '@mui/icons-material/LockOutlined';
import PublicIcon from '@mui/icons-material/PublicOutlined';
import WebhookIcon from '@mui/icons-material/WebhookOutlined';
import { useState } from 'react';
import {
  addWebhook,
  makeContentToken,
  readPublicSite,
  removeWebhook,
  revokeContentToken,
} from '../../api/public-site.ts';
import { CONTENT_PATH, type ContentStatus, type ContentToken } from '../../domain/protocol/content.ts';
import type { Webhook } from '../../domain/protocol/webhooks.ts';
import { useMay } from '../../stores/session.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatAgo } from '../../ui/format.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Surface } from '../../ui/surface.tsx';
import { Explained, Line, Lines, LoadState, SheetHeading } from '../account/account-parts.tsx';
import { CopyDialog } from '../account/copy-dialog.tsx';
import { type ServerData, useServerData } from '../account/use-server-data.ts';
import { useFreshSignIn } from '../auth/use-fresh-sign-in.tsx';
import { WebhookLog } from './webhook-log.tsx';
import { TextDialog } from './text-dialog.tsx';
import '../../fields/fields.css';
import { msg, say, t } from '../../language/t.ts';

const WHY = msg('Sign in again to change who reads the content. You won’t be asked again for 15 minutes.');

/** Lets owners connect the public site: who reads the content, and who is told of changes. */
export default function PublicSiteScreen() {
  const mayManage = useMay('owner');
  return mayManage ? <PublicSite /> : <NotForYou />;
}

/** A secret that is shown once. */
interface Shown {
  readonly title: string;
  readonly why: string;
  readonly label: string;
  readonly text: string;
}

function PublicSite() {
  const data = useServerData(readPublicSite);
  const [asking, setAsking] = useState<'token' | 'webhook'>();
  const [shown, setShown] = useState<Shown>();
  const { freshly, dialog } = useFreshSignIn(WHY);
  const close = () => setAsking(undefined);
  const makeToken = async (name: string) => {
    const text = await freshly(() => makeContentToken(name));
    const why = t('Give it to the program that reads the content. It won’t be shown again.');
    setShown({ title: t('Token for {name}', { name: name.trim() }), why, label: t('Token'), text });
    data.reload();
  };
  const add = async (url: string) => {
    const text = await freshly(() => addWebhook(url));
    const why = t('The receiver checks with it that a message is from here. It won’t be shown again.');
    setShown({ title: t('Secret of the webhook'), why, label: t('Secret'), text });
    data.reload();
  };
  return (
    <>
      <PageHeader title={t('Public site')} subtitle={t('Who reads the content, and who is told of changes')} />
      <LoadState data={data} />
      {data.value && (
        <>
          <Access content={data.value.content} />
          {data.value.content.access === 'token' && (
            <Tokens tokens={data.value.content.tokens} act={data.act} onNew={() => setAsking('token')} />
          )}
          <Webhooks webhooks={data.value.webhooks} act={data.act} onNew={() => setAsking('webhook')} />
        </>
      )}
      {asking === 'token' && (
        <TextDialog
          title={t('New token')}
          why={t('Name the program that will use it. You can revoke the token at any time.')}
          name="name"
          label={t('Name')}
          placeholder={t('Website')}
          submitLabel={t('Create token')}
          onSubmit={makeToken}
          onClose={close}
        />
      )}
      {asking === 'webhook' && (
        <TextDialog
          title={t('New webhook')}
          why={t('This address is called a few seconds after each change, so that the site can update itself.')}
          name="url"
          label={t('Address to call')}
          placeholder="https://www.example.com/rebuild"
          submitLabel={t('Add webhook')}
          onSubmit={add}
          onClose={close}
        />
      )}
      {shown && (
        <CopyDialog {...shown} copyLabel={t('Copy')} copiedMessage={t('Copied')} onClose={() => setShown(undefined)} />
      )}
      {dialog}
    </>
  );
}

const ACCESS = {
  off: msg('Nobody can read the content'),
  public: msg('Everybody can read the content'),
  token: msg('Programs with a token can read the content'),
} as const;

function Access({ content: { access, readAt } }: { content: ContentStatus }) {
  const address = `${location.origin}${CONTENT_PATH}/all`;
  const read = readAt === undefined ? t('Not read yet.') : t('Last read {time}.', { time: ago(readAt) });
  const note =
    access === 'off'
      ? t('The server’s setting CONTENT switches it on: public for everybody, token for programs with a token.')
      : `${address} · ${read}`;
  return (
    <Surface aria-label={t('Content')}>
      <Lines>
        <Line mark={access === 'off' ? <LockIcon /> : <PublicIcon />} title={say(ACCESS[access])} note={note} />
      </Lines>
    </Surface>
  );
}

type Act = ServerData<unknown>['act'];

function Tokens({ tokens, act, onNew }: { tokens: readonly ContentToken[]; act: Act; onNew: () => void }) {
  const revoke = async ({ id, name }: ContentToken) => {
    const text = t('The program that uses it can no longer read the content.');
    const question = {
      title: t('Revoke the token for {name}?', { name }),
      text,
      confirmLabel: t('Revoke'),
      destructive: true,
    };
    if (await confirm(question)) await act(() => revokeContentToken(id));
  };
  return (
    <>
      <SheetHeading>{t('Tokens')}</SheetHeading>
      <Surface>
        <Lines>
          {tokens.map((token) => (
            <Line
              key={token.id}
              mark={<KeyIcon />}
              title={token.name}
              note={token.usedAt === undefined ? t('Never used') : t('Last used {time}', { time: ago(token.usedAt) })}
            >
              <Button
                variant="outlined"
                color="inherit"
                aria-label={t('Revoke the token for {name}', { name: token.name })}
                onClick={() => void revoke(token)}
              >
                {t('Revoke')}
              </Button>
            </Line>
          ))}
          <Line
            mark={<KeyIcon />}
            title={t('A program needs a token of its own')}
            note={t('So that you can revoke one alone.')}
          >
            <Button variant="contained" onClick={onNew}>
              {t('New token')}
            </Button>
          </Line>
        </Lines>
      </Surface>
    </>
  );
}

function Webhooks({ webhooks, act, onNew }: { webhooks: readonly Webhook[]; act: Act; onNew: () => void }) {
  const remove = async ({ id, url }: Webhook) => {
    const text = t('It is no longer told of changes. Messages that wait for it are dropped.');
    const question = { title: t('Remove {url}?', { url }), text, confirmLabel: t('Remove'), destructive: true };
    if (await confirm(question)) await act(() => removeWebhook(id));
  };
  return (
    <>
      <SheetHeading>{t('Webhooks')}</SheetHeading>
      <Explained>
        {t(
          'Addresses that are called after each change, such as the build hook of a static site. Each message is repeated until it arrives.',
        )}
      </Explained>
      <Surface>
        <Lines>
          {webhooks.map((webhook) => (
            <Line
              key={webhook.id}
              mark={<WebhookIcon />}
              title={webhook.url}
              note={<WebhookLog webhook={webhook} act={act} />}
            >
              <Button
                variant="outlined"
                color="inherit"
                aria-label={t('Remove {url}', { url: webhook.url })}
                onClick={() => void remove(webhook)}
              >
                {t('Remove')}
              </Button>
            </Line>
          ))}
          <Line
            mark={<WebhookIcon />}
            title={webhooks.length === 0 ? t('No address is told of changes') : t('Another address')}
            note={t('Messages are signed by the Standard Webhooks specification.')}
          >
            <Button variant="contained" onClick={onNew}>
              {t('New webhook')}
            </Button>
          </Line>
        </Lines>
      </Surface>
    </>
  );
}

function NotForYou() {
  return (
    <>
      <PageHeader title={t('Public site')} />
      <EmptyState icon={<LockIcon />} title={t('Only owners connect the public site')}>
        {t('Ask an owner to change who reads the content.')}
      </EmptyState>
    </>
  );
}

function ago(time: string): string {
  return formatAgo(Date.parse(time), Date.now());
}
