import { type CSSProperties, useEffect, useState } from 'react';
import './picture.css';
import { t } from '../language/t.ts';

interface PictureProps {
  /** Empty while there is no address yet. The placeholder then appears after a delay, since an address may follow soon. */
  readonly src: string;
  readonly alt?: string;
  readonly className?: string;
  readonly style?: CSSProperties;
  readonly draggable?: boolean;
  /** Text for a missing picture. Without it, only the placeholder icon appears. */
  readonly missing?: string;
}

/** The path of a crossed-out landscape icon. Inline, since a list shows hundreds. */
const NO_PICTURE =
  'M21 5a2 2 0 0 0-2-2H5.83L21 18.17V5ZM2.81 2.81 1.39 4.22 3 5.83V19c0 1.1.9 2 2 2h13.17l1.61 1.61 1.41-1.41L2.81 2.81ZM6 17l3-4 2.25 3 .82-1.1 2.1 2.1H6Z';

/**
 * A picture from an address. If it cannot be loaded (offline, and not in the cache), a neutral placeholder replaces the browser's
 * broken image until `retryPictures` is called.
 */
export function Picture({ src, alt = '', missing, className = '', ...rest }: PictureProps) {
  const [failed, setFailed] = useState<string>();
  if (failed === src || src === '') {
    return (
      <Missing
        late={src === ''}
        words={missing}
        hidden={alt === ''}
        className={className}
        style={rest.style}
        onReturn={() => setFailed(undefined)}
      />
    );
  }
  return (
    <img
      {...rest}
      className={className}
      src={src}
      alt={alt}
      loading="lazy"
      decoding="async"
      onError={() => setFailed(src)}
    />
  );
}

interface MissingProps {
  readonly late: boolean;
  readonly words: string | undefined;
  /** True for a decorative picture: its placeholder is hidden from screen readers too. */
  readonly hidden: boolean;
  readonly className: string;
  readonly style: CSSProperties | undefined;
  readonly onReturn: () => void;
}

function Missing({ late, words, hidden, className, style, onReturn }: MissingProps) {
  useEffect(() => {
    waiting.add(onReturn);
    return () => {
      waiting.delete(onReturn);
    };
  });
  return (
    <span
      aria-hidden={hidden}
      data-late={late}
      data-words={hidden ? words : undefined}
      className={`${className} missing-picture`}
      style={style}
      title={words ?? t('This picture could not be loaded')}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={NO_PICTURE} />
      </svg>
      {!hidden && words}
    </span>
  );
}

const waiting = new Set<() => void>();

/** Reloads every missing picture on the page. Called when the server is reachable again. */
export function retryPictures(): void {
  for (const again of waiting) again();
}
