import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { requiredText } from '../../src/domain/validate.ts';
import { catalogue as german } from '../../src/language/de.ts';
import { firstSpoken } from '../../src/language/languages.ts';
import { catalogue as pseudo } from '../../src/language/pseudo.ts';
import { sentenceReader } from '../../src/language/sentences.ts';
import { say, speak, t } from '../../src/language/t.ts';
import { closeSession, startSession } from '../../src/stores/session.ts';
import { wantedLanguage } from '../../src/stores/language.ts';
import { usePreferences } from '../../src/stores/preferences.ts';
import { formatAgo, formatDay, formatDeadline, formatNumber, formatSize } from '../../src/ui/format.ts';

const CHANGES = '{count, plural, one {# change} other {# changes}}';
const DAY = 24 * 60 * 60_000;

afterEach(() => speak(undefined));

describe('English', () => {
  it('returns the text in the code', () => {
    expect(t('Save')).toBe('Save');
    expect(t('Delete {name}', { name: '{count}' })).toBe('Delete {count}');
  });

  it('counts in the singular and plural, with thousands separators', () => {
    expect([1, 2, 1204].map((count) => t(CHANGES, { count }))).toEqual(['1 change', '2 changes', '1,204 changes']);
  });

  it('uses special wording for an exact count if the message has one', () => {
    const words = (count: number) => t('{count, plural, =0 {nothing} one {# change} other {# changes}}', { count });
    expect([words(0), words(1), words(2)]).toEqual(['nothing', '1 change', '2 changes']);
  });

  it('leaves finished sentences as they are', () => {
    expect(say('The brand field is required.')).toBe('The brand field is required.');
  });
});

describe('German', () => {
  beforeEach(() => speak(german));

  it('translates messages, and has its own plural forms', () => {
    expect(t('Save')).toBe('Speichern');
    expect([1, 1204].map((count) => t(CHANGES, { count }))).toEqual(['1 Änderung', '1.204 Änderungen']);
  });

  it('translates sentences that the server sent or an entry stores', () => {
    expect(say('The engine model field is required.')).toBe('Bitte ergänzen: Motormodell.');
    expect(say('Generator Created Successfully')).toBe('Generator: angelegt');
    expect(say('This device is full: 3.4 MB needed, 1.2 MB free.')).toBe(
      'Dieses Gerät ist voll: 3,4 MB werden gebraucht, 1,2 MB sind frei.',
    );
  });

  it('translates field and role names outside record forms too', () => {
    const names = ['password', 'previous_password', 'new_password', 'code', 'role', 'fb', 'tw', 'li', 'metaTag'];
    expect(names.map((name) => say(requiredText(name)))).toEqual(
      [
        'Passwort',
        'Bisheriges Passwort',
        'Neues Passwort',
        'Code',
        'Rolle',
        'Facebook',
        'Twitter',
        'LinkedIn',
        'Meta-Tag',
      ].map((name) => `Bitte ergänzen: ${name}.`),
    );
    expect(say('Anna is now an editor')).toBe('Anna hat jetzt die Rolle Bearbeiter');
    expect(say('Anna is now a viewer')).toBe('Anna hat jetzt die Rolle Betrachter');
    expect(say('Anna is now an owner')).toBe('Anna hat jetzt die Rolle Inhaber');
  });

  it('explains why the server cannot work', () => {
    expect(say('The database cannot be reached.')).toBe('Die Datenbank ist nicht erreichbar.');
    expect(say('The back end answers with an error (502).')).toBe('Das Backend antwortet mit einem Fehler (502).');
  });

  it('formats a number in a sentence, and leaves a name with a point in it unchanged', () => {
    const read = sentenceReader({ '“{0}” has {1} MB.': '„{0}“ hat {1} MB.' }, ',');
    expect(read('“v1.2.pdf” has 3.4 MB.')).toBe('„v1.2.pdf“ hat 3,4 MB.');
    expect(read('“Osram 2.0 LED” has 3 MB.')).toBe('„Osram 2.0 LED“ hat 3 MB.');
  });

  it('leaves what it does not know as it is', () => {
    expect(say('Ein Satz des Servers.')).toBe('Ein Satz des Servers.');
    expect(say('')).toBe('');
  });

  it('writes numbers, sizes and ages by its rules', () => {
    expect(formatNumber(1204.5)).toBe('1.204,5');
    expect(formatSize(3_400_000)).toBe('3,4 MB');
    expect(formatAgo(0, 2 * DAY)).toBe('vor 2 Tagen');
    expect(formatAgo(0, 4 * 60_000)).toBe('vor 4 Min.');
  });

  it('writes days and months by its rules', () => {
    const [march, later] = [new Date(2026, 2, 3, 9, 5).getTime(), new Date(2027, 0, 5).getTime()];
    expect(formatDay(march, march + 7 * DAY)).toBe('3. März');
    expect(formatDay(march, later)).toBe('3. März 2026');
    expect(formatDeadline(march)).toBe('3. März, 09:05');
  });
});

describe('a finished sentence', () => {
  const read = sentenceReader(
    { '{0} and {1}': '{0} und {1}', 'Save {0} and {1}': '{0} sowie {1} speichern', Generator: 'Generator (de)' },
    ',',
  );

  it('matches the longest message that fits, over several lines too', () => {
    expect(read('Save this and that')).toBe('this sowie that speichern');
    expect(read('one\ntwo and three')).toBe('one\ntwo und three');
  });

  it('has its values translated, and their decimals formatted', () => {
    expect(read('Generator and 1.5')).toBe('Generator (de) und 1,5');
    expect(read('1.5')).toBeUndefined();
  });
});

describe('the pseudo-language', () => {
  beforeEach(() => speak(pseudo));

  it('is accented, longer and framed, and keeps values', () => {
    expect(t('Delete {name}', { name: 'one' })).toMatch(/^⟦D.l.t. one[ ·]+⟧$/u);
    expect(t(CHANGES, { count: 2 })).toMatch(/^⟦2 çháñgéš[ ·]+⟧$/u);
  });

  it('frames nothing twice', () => {
    expect(say(t('Save'))).toBe(t('Save'));
  });
});

describe('the language', () => {
  it('is the browser’s at first, whatever its country', () => {
    expect(firstSpoken(['fr-CH', 'de-CH', 'en'])).toBe('de');
    expect(firstSpoken(['fr'])).toBe('en');
    expect(firstSpoken(['DE-at'])).toBe('de');
  });

  it('is the user’s choice, else the last one on this device', () => {
    expect(wantedLanguage()).toBe('en');
    localStorage.setItem('voltdesk.language', 'de');
    expect(wantedLanguage()).toBe('de');
    usePreferences.setState({ language: 'en' });
    expect(wantedLanguage()).toBe('de');
    startSession({ id: 1, name: 'Person 1' }, 'token 1', true);
    onTestFinished(() => closeSession());
    expect(wantedLanguage()).toBe('en');
  });
});
