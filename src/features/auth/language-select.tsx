import { LANGUAGES, isLanguage } from '../../language/languages.ts';
import { chooseLanguage, spokenLanguage } from '../../stores/language.ts';
import { t } from '../../language/t.ts';

/** Lists each language under its own name, so that its speakers find it. A choice reloads the page. */
export function LanguageSelect({ id }: { readonly id?: string }) {
  return (
    <select
      {...(id === undefined ? { 'aria-label': t('Language') } : { id })}
      className="control"
      value={spokenLanguage()}
      onChange={({ target }) => {
        if (isLanguage(target.value)) chooseLanguage(target.value);
      }}
    >
      {LANGUAGES.map(({ code, name }) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  );
}
