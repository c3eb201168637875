import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { SiteSettings } from '../domain/site-pages.ts';

/** The settings of an installation, served at run time. An empty string means "not set". */
export interface InstallationSettings extends SiteSettings {
  readonly brandLabel: string;
  /** City and country below the brand. */
  readonly locationLine: string;
  readonly companyLabel: string;
  readonly logoPath: string;
  readonly forgotPasswordAddress: string;
}

const NEUTRAL_SETTINGS: InstallationSettings = {
  brandLabel: 'Voltdesk',
  locationLine: '',
  companyLabel: 'Power Company',
  logoPath: '',
  forgotPasswordAddress: '',
  siteUrl: '',
  sitePaths: '',
};

/** The installation's settings as last received. They are in local storage, which can be read before the first paint. */
export const useSettings = create<InstallationSettings>()(
  persist((): InstallationSettings => NEUTRAL_SETTINGS, { name: 'voltdesk.settings' }),
);

/** Stores the settings from the server. Missing members and members that are not strings get their neutral value. */
export function keepSettings(told: Readonly<Record<string, unknown>>): void {
  const texts = Object.keys(NEUTRAL_SETTINGS).map((key) => [key, told[key]] as const);
  const known = Object.fromEntries(texts.filter(([, text]) => typeof text === 'string'));
  useSettings.setState({ ...NEUTRAL_SETTINGS, ...known });
}
