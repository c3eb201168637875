import Button from '@mui/material/Button';
import { useCallback } from 'react';
import { outbox } from '../../api/outbox.ts';
import { decideOutcome, unsettledChange } from '../../api/unsettled.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import type { OutcomeDecision } from '../../domain/protocol/unsettled.ts';
import { isSingle, type Resource, screenOf } from '../../domain/resource.ts';
import { resourceOf } from '../../domain/resources/index.ts';
import { t } from '../../language/t.ts';
import { RecordPicture } from '../../resource/record-picture.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { formatMoment } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { LoadState } from '../account/account-parts.tsx';
import { useServerData } from '../account/use-server-data.ts';

/** A change whose outcome the back end does not tell: its sender looks at the records in question and decides. */
export function Unsettled({ entry, now }: { entry: OutboxEntry; now: number }) {
  const { change, idempotencyKey, id } = entry;
  const confirm = useConfirm();
  const data = useServerData(useCallback(() => unsettledChange(idempotencyKey), [idempotencyKey]));
  const decide = (decision: OutcomeDecision, said: string) =>
    void data.act(async () => {
      await decideOutcome(idempotencyKey, decision);
      await outbox.retry(id);
      return said;
    });
  const giveUp = async () => {
    const question = {
      title: t('Give up on this change?'),
      text: t('What is on the server stays as it is. The change stays here, and you can send it again or discard it.'),
      confirmLabel: t('Give up'),
      destructive: true,
    };
    if (await confirm(question)) decide({ decision: 'give-up' }, t('Given up. Nothing more is sent by itself.'));
  };
  const resource = resourceOf(change.resource);
  const own = change.op === 'create' || isSingle(resource) ? [] : [Number(change.recordId)];
  const candidates = data.value?.candidates.length === 0 ? own : (data.value?.candidates ?? []);
  return (
    <div className="entry-candidates">
      <LoadState data={data} />
      {data.value && (
        <p>
          {t('Sent {time}. The back end doesn’t tell whether it was saved.', {
            time: formatMoment(Date.parse(data.value.since), now),
          })}
        </p>
      )}
      {!isSingle(resource) && candidates.length > 0 && (
        <ul>
          {candidates.map((candidate) => (
            <CandidateLine
              key={candidate}
              resource={resource}
              id={candidate}
              onChoose={() => decide({ decision: 'there', id: candidate }, t('Thank you. The rest is sent now.'))}
            />
          ))}
        </ul>
      )}
      <Button
        size="small"
        variant="outlined"
        color="inherit"
        onClick={() => decide({ decision: 'look' }, t('Looked again.'))}
      >
        {t('Look again')}
      </Button>{' '}
      <Button size="small" color="error" onClick={() => void giveUp()}>
        {t('Give up')}
      </Button>
    </div>
  );
}

function CandidateLine({ resource, id, onChoose }: { resource: Resource; id: number; onChoose: () => void }) {
  return (
    <li>
      <RecordPicture resource={resource} id={id} className="entry-picture" />
      <Link to={screenOf(resource, id)}>{t('Record {id}', { id: String(id) })}</Link>
      <Button size="small" variant="outlined" color="inherit" onClick={onChoose}>
        {t('It is there: this one')}
      </Button>
    </li>
  );
}
