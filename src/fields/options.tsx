import { say, t } from '../language/t.ts';
import { choiceWords } from './value-words.ts';

/** The options of a select: an empty one first, and the current value even if the list no longer contains it. */
export function Options(props: { label: string; value: string; options: readonly string[] }) {
  const missing = props.value !== '' && !props.options.includes(props.value);
  return (
    <>
      <option value="">{t('Choose {label}…', { label: say(props.label.toLowerCase()) })}</option>
      {missing && <option value={props.value}>{choiceWords(props.value)}</option>}
      {props.options.map((option) => (
        <option key={option} value={option}>
          {choiceWords(option)}
        </option>
      ))}
    </>
  );
}
