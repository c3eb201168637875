import { styled } from '@mui/material/styles';
import { useId } from 'react';
import { routesOf } from '../../domain/resource.ts';
import { RESOURCES } from '../../domain/resources/index.ts';
import { type Comforts, usePreferences } from '../../stores/preferences.ts';
import { LanguageSelect } from '../auth/language-select.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Surface } from '../../ui/surface.tsx';
import { colour } from '../../ui/tokens.ts';
import { msg, say, t } from '../../language/t.ts';
import { WifiSelect } from './wifi-select.tsx';

type Switch = Exclude<keyof Comforts, 'landing' | 'language'>;

const SWITCHES: readonly { readonly name: Switch; readonly label: string; readonly note: string }[] = [
  { name: 'dense', label: msg('Compact rows'), note: msg('Shows more records at once, in lists without pictures.') },
  { name: 'large', label: msg('Large touch'), note: msg('Larger text, buttons and rows, for gloves.') },
  {
    name: 'leftHanded',
    label: msg('Left-handed'),
    note: msg('Puts Create and the selection bar within reach of the left thumb.'),
  },
];

const PLACES = [
  { to: '/', label: msg('Dashboard') },
  ...RESOURCES.map((resource) => ({ to: routesOf(resource).list, label: resource.label.list })),
  { to: '/outbox', label: msg('Outbox') },
];

/** The user's own preferences on this device. They apply at once. */
export default function PreferencesScreen() {
  const preferences = usePreferences();
  const id = useId();
  return (
    <>
      <PageHeader title={t('Preferences')} subtitle={t('Yours, on this device')} />
      <Sheet>
        <label htmlFor={id}>
          <strong>{t('Start with')}</strong>
          <span>{t('The screen the app opens with.')}</span>
        </label>
        <select
          id={id}
          className="control"
          value={preferences.landing}
          onChange={(event) => usePreferences.setState({ landing: event.target.value })}
        >
          {PLACES.map(({ to, label }) => (
            <option key={to} value={to}>
              {say(label)}
            </option>
          ))}
        </select>
        <label htmlFor={`${id}-language`}>
          <strong>{t('Language')}</strong>
          <span>{t('For the whole app. The page reloads.')}</span>
        </label>
        <LanguageSelect id={`${id}-language`} />
        <WifiSelect id={`${id}-wifi`} />
        {SWITCHES.map(({ name, label, note }) => (
          <Choice key={name}>
            <input
              type="checkbox"
              aria-label={say(label)}
              aria-describedby={`${id}-${name}`}
              checked={preferences[name]}
              onChange={(event) => usePreferences.setState({ [name]: event.target.checked })}
            />
            <strong>{say(label)}</strong>
            <span id={`${id}-${name}`}>{say(note)}</span>
          </Choice>
        ))}
      </Sheet>
    </>
  );
}

const Sheet = styled(Surface)({
  display: 'grid',
  gap: 8,
  maxWidth: 640,
  '& strong, & label > span': { display: 'block' },
  '& label > span': { color: colour.quietText, fontSize: '0.875rem' },
  '& select': { maxWidth: 360, minHeight: 44, marginBottom: 12 },
});

const Choice = styled('label')({
  display: 'grid',
  gridTemplateColumns: '44px 1fr',
  alignItems: 'center',
  minHeight: 60,
  padding: '8px 0',
  borderTop: `1px solid ${colour.line}`,
  cursor: 'pointer',
  '& input': { gridRow: '1 / 3', width: 22, height: 22, margin: 0, accentColor: colour.brand },
});
