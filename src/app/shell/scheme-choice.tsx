import { styled, useColorScheme } from '@mui/material/styles';
import { colour, tint } from '../../ui/tokens.ts';
import { msg, say, t } from '../../language/t.ts';

const CHOICES = [
  { mode: 'light', label: msg('Light') },
  { mode: 'dark', label: msg('Dark') },
  { mode: 'system', label: msg('System') },
] as const;

/** Chooses light, dark or the device's colour scheme. */
export function SchemeChoice() {
  const { mode = 'system', setMode } = useColorScheme();
  return (
    <Choices>
      <legend>{t('Appearance')}</legend>
      <div>
        {CHOICES.map((choice) => (
          <label key={choice.mode} data-chosen={choice.mode === mode || undefined}>
            <input
              type="radio"
              name="appearance"
              checked={choice.mode === mode}
              onChange={() => setMode(choice.mode)}
            />
            {say(choice.label)}
          </label>
        ))}
      </div>
    </Choices>
  );
}

const Choices = styled('fieldset')({
  margin: 0,
  padding: 0,
  border: 0,
  '& legend': { padding: '0 4px 6px', fontSize: '0.8125rem', fontWeight: 600, color: colour.quietText },
  '& > div': { display: 'flex', padding: 3, borderRadius: 11, backgroundColor: tint(colour.text, 6) },
  '& label': {
    position: 'relative',
    flex: 'auto',
    padding: '9px 12px',
    borderRadius: 8,
    fontSize: '0.875rem',
    fontWeight: 500,
    textAlign: 'center',
    whiteSpace: 'nowrap',
    cursor: 'pointer',
  },
  '@media (pointer: coarse)': { '& label': { paddingBlock: 12 } },
  '& label[data-chosen]': { backgroundColor: colour.brand, color: colour.onBrand },
  '& label:has(:focus-visible)': { outline: `2px solid ${colour.brand}`, outlineOffset: 2 },
  '& input': { position: 'absolute', inset: 0, opacity: 0, cursor: 'pointer' },
});
