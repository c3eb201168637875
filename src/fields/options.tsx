import { say, sayChoice, t } from '../language/t.ts';

/** The options of a select: an empty one first, and the present value even where the list no longer has it. */
export function Options(props: { label: string; value: string; options: readonly string[] }) {
  const missing = props.value !== '' && !props.options.includes(props.value);
  return (
    <>
      <option value="">{t('Choose {label}…', { label: say(props.label.toLowerCase()) })}</option>
      {missing && <option value={props.value}>{sayChoice(props.value)}</option>}
      {props.options.map((option) => (
        <option key={option} value={option}>
          {sayChoice(option)}
        </option>
      ))}
    </>
  );
}
