import { type Device, openDevice, shownAt, type Tab } from './device.ts';
import { CABLE, type Link, openLink } from './link.ts';
import type { Subject } from './subject.ts';

/** A repeat visitor: a browser with everything cached, and its link to the server. */
export interface Visitor {
  readonly subject: Subject;
  readonly link: Link;
  readonly device: Device;
  /** Opens the list in a new page. `time` is when its first rows were painted. */
  visit(): Promise<Tab & { readonly time: number }>;
}

/** The visitors of this run. */
export interface Stage {
  readonly ours: Subject;
  readonly illustrated: Subject;
  readonly bare: Subject;
  /** The repeat visitor of a subject with this many rows. Created on first use, and kept for the run. */
  returning(subject: Subject, rows: number): Promise<Visitor>;
  /** A first-time visitor. Close its device after use. */
  newcomer(subject: Subject, rows: number): Promise<Visitor>;
  close(): Promise<void>;
}

/** Visits before a repeat visit is measured. Browsers cache compiled code only of pages visited repeatedly. */
const VISITS_BEFORE = 3;

async function visitorOf(subject: Subject, link: Link): Promise<Visitor> {
  const device = await openDevice();
  return {
    subject,
    link,
    device,
    async visit() {
      const tab = await device.openPage(subject.selectors.row);
      await tab.page.goto(link.address + subject.path, { waitUntil: 'commit' });
      return { ...tab, time: await shownAt(tab.page) };
    },
  };
}

async function makeFamiliar({ subject, device, link, visit }: Visitor): Promise<void> {
  link.become(CABLE);
  await subject.settle(device, link.address);
  for (let count = 0; count < VISITS_BEFORE; count += 1) {
    const { page } = await visit();
    await page.waitForLoadState('networkidle');
    await page.close();
  }
}

export function setStage({ ours, illustrated, bare }: Pick<Stage, 'ours' | 'illustrated' | 'bare'>): Stage {
  const links = new Map<string, Link>();
  const visitors = new Map<string, Visitor>();
  const linkOf = async (subject: Subject, rows: number) => {
    const key = `${subject.name} ${rows}`;
    const link = links.get(key) ?? (await openLink(await subject.serve(rows)));
    links.set(key, link);
    return link;
  };
  const newcomer = async (subject: Subject, rows: number) => {
    const visitor = await visitorOf(subject, await linkOf(subject, rows));
    await subject.prepare(visitor.device, visitor.link.address, rows);
    return visitor;
  };
  return {
    ours,
    illustrated,
    bare,
    newcomer,
    async returning(subject, rows) {
      const key = `${subject.name} ${rows}`;
      const known = visitors.get(key);
      if (known) return known;
      const visitor = await newcomer(subject, rows);
      visitors.set(key, visitor);
      await makeFamiliar(visitor);
      return visitor;
    },
    async close() {
      await Promise.all([...visitors.values()].map(({ device }) => device.close()));
      await Promise.all([...links.values()].map((link) => link.close()));
      await Promise.all([ours.close(), illustrated.close(), bare.close()]);
    },
  };
}
