/** Generator series. Power in kVA. */
export const ENGINES = [
  {
    brand: 'Perkins',
    prefix: 'P',
    engine: '1100',
    origin: 'United Kingdom',
    series: 'Perkins Series',
    powers: [20, 30, 45, 60, 80, 100, 150, 200, 250],
  },
  {
    brand: 'Cummins',
    prefix: 'C',
    engine: 'QSB',
    origin: 'United States',
    series: 'Cummins Series',
    powers: [55, 90, 110, 150, 200, 275, 350, 500],
  },
  {
    brand: 'Volvo Penta',
    prefix: 'TV',
    engine: 'TAD',
    origin: 'Sweden',
    series: 'Volvo Series',
    powers: [85, 130, 200, 275, 350, 450, 650],
  },
  {
    brand: 'Doosan',
    prefix: 'DP',
    engine: 'DP',
    origin: 'South Korea',
    series: 'Doosan Series',
    powers: [165, 220, 400, 510, 630, 750],
  },
  {
    brand: 'FPT Iveco',
    prefix: 'GE',
    engine: 'N67',
    origin: 'Italy',
    series: 'FPT Series',
    powers: [60, 85, 130, 200, 300],
  },
  {
    brand: 'Baudouin',
    prefix: 'B',
    engine: '6M',
    origin: 'France',
    series: 'Baudouin Series',
    powers: [220, 330, 500, 825, 1000, 1250],
  },
  {
    brand: 'Ricardo',
    prefix: 'R',
    engine: 'R61',
    origin: 'China',
    series: 'Ricardo Series',
    powers: [20, 30, 50, 75, 100, 150],
  },
] as const;

/** Street light series. Power in watts. */
export const LIGHTS = [
  { brand: 'Philips', prefix: 'BRP', origin: 'Netherlands', watts: [20, 40, 60, 90, 120, 150] },
  { brand: 'Osram', prefix: 'SL20', origin: 'Germany', watts: [30, 50, 80, 110, 140] },
  { brand: 'Schréder', prefix: 'AMPERA', origin: 'Belgium', watts: [24, 36, 56, 75, 100, 138] },
  { brand: 'Solar Street Co', prefix: 'ALL-IN-ONE', origin: 'China', watts: [15, 20, 30, 40, 60, 80] },
  { brand: 'Bajaj', prefix: 'BGEST', origin: 'India', watts: [18, 24, 45, 70, 90, 120] },
  { brand: 'GE Current', prefix: 'ERL1', origin: 'United States', watts: [40, 55, 75, 115] },
] as const;

/** UPS series. Power in VA. */
export const SUPPLIES = [
  {
    brand: 'APC',
    prefix: 'SMT',
    origin: 'United States',
    type: 'Line Interactive',
    powers: [750, 1000, 1500, 2200, 3000],
  },
  {
    brand: 'APC',
    prefix: 'SRT',
    origin: 'United States',
    type: 'Online Rack Mount',
    powers: [3000, 5000, 6000, 10_000],
  },
  {
    brand: 'Eaton',
    prefix: '9PX',
    origin: 'Taiwan',
    type: 'Online Single Phase',
    powers: [1000, 2000, 3000, 6000, 11_000],
  },
  {
    brand: 'Eaton',
    prefix: '93PS-',
    origin: 'Finland',
    type: 'Online Three Phase',
    powers: [8000, 10_000, 20_000, 40_000],
  },
  { brand: 'Vertiv', prefix: 'GXT5-', origin: 'Italy', type: 'Online Rack Mount', powers: [1500, 3000, 6000, 10_000] },
  {
    brand: 'Riello',
    prefix: 'MPW',
    origin: 'Italy',
    type: 'Modular Online',
    powers: [25_000, 42_000, 130_000, 300_000],
  },
  {
    brand: 'Legrand',
    prefix: 'KEOR-T',
    origin: 'France',
    type: 'Online Three Phase',
    powers: [10_000, 15_000, 30_000, 60_000],
  },
  { brand: 'Delta', prefix: 'VX', origin: 'Taiwan', type: 'Offline', powers: [600, 800, 1000, 1500] },
] as const;

export const PARTNERS = [
  'Northwind Energy',
  'Helios Components',
  'Blue Ridge Electric',
  'Kestrel Engines',
  'Meridian Solar',
  'Ironwood Power',
  'Lumen & Sons',
  'Delta Grid',
  'Polar Batteries',
  'Harbor Cables',
  'Vertex Switchgear',
  'Sunfield Panels',
  'Anchor Logistics',
  'Copperline',
  'Brightway Lighting',
] as const;

export const COMPANY = [
  'Our head office',
  'The assembly hall',
  'Testing every set under load',
  'The service team',
  'Training of operators',
  'The spare parts store',
  'On call day and night',
  'Twenty years of power',
] as const;

export const CERTIFICATES = [
  ['Solar Panels', 'IEC 61215 Design qualification'],
  ['Solar Panels', 'IEC 61730 Module safety'],
  ['Solar Panels', 'TÜV Rheinland product test'],
  ['Generators', 'ISO 8528 Generating sets'],
  ['Generators', 'Authorized dealer, Perkins'],
  ['Generators', 'EPA Tier 3 emissions'],
  ['Grid Tie Inverters', 'IEC 62109 Converter safety'],
  ['Grid Tie Inverters', 'VDE-AR-N 4105 Grid connection'],
  ['Grid Tie Inverters', 'UL 1741'],
  ['Online UPS', 'IEC 62040-1 UPS safety'],
  ['Online UPS', 'Energy Star'],
  ['Online UPS', 'ISO 9001 Quality management'],
  ['Street Light', 'IP66 Ingress protection'],
  ['Street Light', 'LM-80 Lumen maintenance'],
  ['Street Light', 'ENEC safety mark'],
] as const;

export const SLIDES = [
  'Power that stays on',
  'Solar for every roof',
  'Generators from 20 to 1250 kVA',
  'Light for streets without a grid',
  'Quiet, clean, always ready',
  'One partner for all your energy',
] as const;

export const CLIENTS = [
  'Riverside Textiles',
  'City General Hospital',
  'Greenfield Dairy',
  'Harbour Cold Storage',
  'National University',
  'Silver Oak Hotel',
  'Metro Shopping Mall',
  'Eastern Cement Works',
  'Lakeview Apartments',
  'Sunrise School',
  'Apex Pharmaceuticals',
  'Coastal Airport',
  'Global Call Center',
  'Highland Tea Estate',
  'Orchid Garments',
  'Union Bank Data Centre',
  'Delta Rice Mills',
  'Pioneer Plastics',
  'Crescent Steel',
  'Palm Beach Resort',
  'Western Poultry',
  'Regional Broadcasting',
  'Skyline Tower',
  'Mountain View Clinic',
] as const;

export const PLACES = [
  'Northport',
  'Eastbrook',
  'Lakeside',
  'Hillview',
  'Southgate',
  'Riverton',
  'Old Harbour',
  'West Valley',
] as const;
