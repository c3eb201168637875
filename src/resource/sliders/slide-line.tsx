import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import HandleIcon from '@mui/icons-material/DragIndicator';
import { useState } from 'react';
import { Picture } from '../../ui/picture.tsx';
import { MOTION } from '../../ui/tokens.ts';
import { useThumbnailAddress } from '../thumbnails.ts';
import type { Slide } from './order-rules.ts';
import { t } from '../../language/t.ts';

interface SlideLineProps {
  readonly slide: Slide;
  /** Zero-based position. */
  readonly place: number;
  readonly count: number;
  readonly onMove: (place: number) => void;
}

/** A row of the order dialog: serial input, picture, text and drag handle. */
export function SlideLine({ slide, place, count, onMove }: SlideLineProps) {
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } = useSortable({
    id: slide.recordId,
    transition: { duration: MOTION, easing: 'ease' },
  });
  const address = useThumbnailAddress();
  const text = slide.values['text'] ?? '';
  const style = { transform: CSS.Translate.toString(transform), transition };
  return (
    <li ref={setNodeRef} style={style} data-lifted={isDragging}>
      <SerialInput serial={place + 1} count={count} name={text} onType={(serial) => onMove(serial - 1)} />
      {slide.image === '' ? <span /> : <Picture className="slide-image" src={address(slide.image, 100)} />}
      <span className="slide-text">{text}</span>
      <button
        type="button"
        ref={setActivatorNodeRef}
        {...attributes}
        {...listeners}
        aria-label={t('Move {text}, now {number} of {count}', { text, number: place + 1, count })}
      >
        <HandleIcon aria-hidden />
      </button>
    </li>
  );
}

function SerialInput(props: { serial: number; count: number; name: string; onType: (serial: number) => void }) {
  const [typed, setTyped] = useState(String(props.serial));
  const [shown, setShown] = useState(props.serial);
  // updated in place: remounting the input would lose its focus
  if (shown !== props.serial) {
    setShown(props.serial);
    setTyped(String(props.serial));
  }
  const take = () => {
    const serial = Number.parseInt(typed, 10);
    // also for a serial beyond the last one, which may move nothing
    setTyped(String(props.serial));
    if (!Number.isNaN(serial) && serial !== props.serial) props.onType(serial);
  };
  return (
    <input
      className="control"
      type="number"
      min={1}
      max={props.count}
      step={1}
      aria-label={t('Serial of {name}', { name: props.name })}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={take}
      onKeyDown={(event) => event.key === 'Enter' && take()}
    />
  );
}
