import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { MemoryRouter, Route, Routes } from 'react-router-dom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FailureNotice } from '../../src/ui/failure-notice.tsx';
import { Initials } from '../../src/ui/initials.tsx';
import { Link, NavLink } from '../../src/ui/link.tsx';
import { PageHeader, SiteName } from '../../src/ui/page-header.tsx';
import { useFirstFocus } from '../../src/ui/use-first-focus.ts';
import { isWriting } from '../../src/ui/writing.ts';
import userEvent from '@testing-library/user-event';

afterEach(cleanup);

/** Follows a link without focusing it. */
const go = (to: string) => fireEvent.click(screen.getByRole('link', { name: `to ${to}` }));

function Screen({ title }: { title: string }) {
  return (
    <main>
      <PageHeader title={title} note="note" subtitle="subtitle" freshness="a minute old" actions={<b>New</b>} />
      <input aria-label="Name" />
      <textarea aria-label="Description" />
      <select aria-label="Type" />
      <Link to="/">to /</Link>
      <Link to="/partners">to /partners</Link>
    </main>
  );
}

const open = (...entries: (string | { pathname: string; state?: unknown })[]) =>
  render(
    <MemoryRouter initialEntries={entries}>
      <SiteName value="Acme">
        <Routes>
          <Route path="/partners" element={<Screen title="Partners" />} />
          <Route path="*" element={<Screen title="Home" />} />
        </Routes>
      </SiteName>
    </MemoryRouter>,
  );
const heading = () => screen.getByRole('heading', { level: 1 });

describe('a page', () => {
  it('shows its whole title on hover, and focuses its heading without scrolling', () => {
    const focused = vi.spyOn(HTMLElement.prototype, 'focus');
    open('/');
    go('/partners');
    expect(heading().title).toBe('Partners');
    expect(focused.mock.calls).toEqual([[{ preventScroll: true }]]);
    focused.mockRestore();
  });

  it('names the document after itself and the installation', () => {
    open('/partners');
    expect(document.title).toBe('Partners · Acme');
    go('/');
    expect(document.title).toBe('Home · Acme');
  });

  it('focuses its heading after a navigation, unless somebody is typing', () => {
    open('/');
    expect(document.activeElement).toBe(document.body);
    go('/partners');
    expect(document.activeElement).toBe(heading());
    for (const [label, address, title] of [
      ['Name', '/', 'Home'],
      ['Description', '/partners', 'Partners'],
      ['Type', '/', 'Home'],
    ] as const) {
      screen.getByLabelText(label).focus();
      go(address);
      expect(heading().textContent).toBe(title);
      expect(document.activeElement).toBe(screen.getByLabelText(label));
    }
  });

  it('shows its note, subtitle, freshness and actions, and no empty line without them', () => {
    open('/partners');
    const told = screen.getByRole('main').textContent;
    for (const text of ['note', 'subtitle', 'a minute old', 'New']) expect(told).toContain(text);
    cleanup();
    const { container } = render(
      <MemoryRouter>
        <PageHeader title="Bare" />
      </MemoryRouter>,
    );
    expect(container.children).toHaveLength(1);
    cleanup();
    render(
      <MemoryRouter>
        <PageHeader title="Busy" actions={<b>New</b>} />
      </MemoryRouter>,
    );
    expect(screen.getByText('New')).toBeDefined();
    cleanup();
    render(
      <MemoryRouter>
        <PageHeader title="Aged" freshness={<b>a minute old</b>} />
      </MemoryRouter>,
    );
    expect(screen.getByText('a minute old')).toBeDefined();
  });
});

describe('a link', () => {
  const Elsewhere = () => <p>there</p>;
  const show = (link: React.ReactNode, at = '/partners') =>
    render(
      <MemoryRouter initialEntries={[at]}>
        {link}
        <Routes>
          <Route path="/outbox" element={<Elsewhere />} />
          <Route path="*" element={<p>here</p>} />
        </Routes>
      </MemoryRouter>,
    );

  it('opens its screen and calls its click handler', async () => {
    const pressed = vi.fn();
    show(
      <Link to="/outbox" onClick={pressed}>
        Outbox
      </Link>,
    );
    await userEvent.click(screen.getByRole('link'));
    expect(pressed).toHaveBeenCalledOnce();
    expect(screen.getByText('there')).toBeDefined();
  });

  it('does not navigate if its click is prevented or it opens another tab', async () => {
    show(
      <>
        <Link to="/outbox" onClick={(event) => event.preventDefault()}>
          Held
        </Link>
        <Link to="/outbox" target="_blank">
          Tab
        </Link>
      </>,
    );
    await userEvent.click(screen.getByRole('link', { name: 'Held' }));
    await userEvent.click(screen.getByRole('link', { name: 'Tab' }));
    expect(screen.getByText('here')).toBeDefined();
    expect(screen.getByRole('link', { name: 'Tab' }).getAttribute('target')).toBe('_blank');
  });

  it.each([
    ['/partners', false, 'page'],
    ['/partners/7', false, 'page'],
    ['/partners/7', true, null],
    ['/partners-all', false, null],
  ])('of the navigation at %s (exact: %s) is marked as %s', (at, end, marked) => {
    show(
      <NavLink to="/partners" end={end}>
        Partners
      </NavLink>,
      at,
    );
    expect(screen.getByRole('link').getAttribute('aria-current')).toBe(marked);
  });
});

describe('an avatar', () => {
  it.each([
    ['Nadia Rahman Khan', 'NK'],
    [' anna ', 'A'],
    ['🦊 Fox', '🦊F'],
  ])('shows the initials of the first and last name of %s', (name, letters) => {
    render(<Initials name={name} />);
    expect(screen.getByTitle(name.trim()).textContent).toBe(letters);
  });
});

describe('a form', () => {
  const Form = ({ values }: { values: readonly string[] }) => {
    useFirstFocus('form');
    return (
      <form>
        <input className="control" type="file" aria-label="File" />
        {values.map((value, at) => (
          <input key={value} className="control" aria-label={`Field ${at}`} defaultValue={value} />
        ))}
      </form>
    );
  };

  it('focuses its first empty field, or else its first one', () => {
    render(<Form values={['typed', '']} />);
    expect(document.activeElement).toBe(screen.getByLabelText('Field 1'));
    cleanup();
    render(<Form values={['typed', 'too']} />);
    expect(document.activeElement).toBe(screen.getByLabelText('Field 0'));
    cleanup();
    render(<h1 tabIndex={-1}>Partners</h1>);
    heading().focus();
    render(<Form values={['', '']} />);
    expect(document.activeElement).toBe(screen.getByLabelText('Field 0'));
  });

  it('does not take the focus from elsewhere', () => {
    const elsewhere = document.body.appendChild(document.createElement('button'));
    elsewhere.focus();
    render(<Form values={['']} />);
    expect(document.activeElement).toBe(elsewhere);
    elsewhere.remove();
  });
});

describe('a notice of something that could not be loaded', () => {
  it('can be retried once at a time, if there is a way to', async () => {
    const again = vi.fn();
    const { rerender } = render(<FailureNotice message="Away." onRetry={again} />);
    const notice = within(screen.getByRole('status'));
    await userEvent.click(notice.getByRole('button', { name: 'Retry' }));
    expect(again).toHaveBeenCalledOnce();
    rerender(<FailureNotice message="Away." onRetry={again} retrying />);
    expect(screen.getByRole<HTMLButtonElement>('button').disabled).toBe(true);
    rerender(<FailureNotice message="Away." />);
    expect(screen.queryByRole('button')).toBeNull();
  });
});

it('a pressed letter is text in a field, and a shortcut elsewhere', () => {
  const made = (html: string) => {
    const holder = document.createElement('div');
    holder.innerHTML = html;
    return holder.firstElementChild;
  };
  for (const html of ['<input>', '<textarea></textarea>', '<select></select>', '<p contenteditable="true"></p>'])
    expect(isWriting(made(html)), html).toBe(true);
  expect([isWriting(made('<button></button>')), isWriting(null), isWriting(document)]).toEqual([false, false, false]);
});
