/** The contents of a fresh installation of the stock back end. */

export const ADMINISTRATORS = [
  { id: 1, name: 'Admin', email: 'admin@example.com', password: 'password' },
  { id: 2, name: 'Second Admin', email: 'second@example.com', password: 'password' },
] as const;

export const GENERATOR_SERIES: readonly string[] = ['Perkins Series', 'Cummins Series', 'Ricardo Series'];
export const UPS_TYPES: readonly string[] = ['Online', 'Offline', 'Line Interactive'];
export const INVERTER_BRANDS: Readonly<Record<string, readonly string[]>> = {
  'Single Phase': ['ABB', 'Growatt', 'SMA'],
  'Three Phase': ['Huawei', 'KACO', 'Sungrow'],
};

export const SITE_META_ROW = {
  id: 1,
  title: 'Power Equipment',
  phone: '000-0000',
  email: 'info@example.com',
  address: 'Main Road 1',
  fb: null,
  tw: null,
  li: null,
  metaTag: null,
} as const;
