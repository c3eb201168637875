import { create } from 'zustand';
import { persist } from 'zustand/middleware';

/** What an installation calls itself. Served at run time; an empty text means "not set". */
export interface InstallationSettings {
  readonly brandLabel: string;
  /** City and country under the brand. */
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
};

/** The installation's settings as this device last saw them: kept where they can be read at once, before the first paint. */
export const useSettings = create<InstallationSettings>()(
  persist((): InstallationSettings => NEUTRAL_SETTINGS, { name: 'voltdesk.settings' }),
);

/** Takes over what the server said. Members that are missing or no text keep their neutral value. */
export function keepSettings(told: Readonly<Record<string, unknown>>): void {
  const texts = Object.keys(NEUTRAL_SETTINGS).map((key) => [key, told[key]] as const);
  const known = Object.fromEntries(texts.filter(([, text]) => typeof text === 'string'));
  useSettings.setState({ ...NEUTRAL_SETTINGS, ...known });
}
