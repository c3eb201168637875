import type { ResourceName } from '../../src/domain/resource.ts';
import type { Values } from '../../src/domain/validate.ts';
import { type Chance, chance } from './chance.ts';
import { readCsv } from './csv.ts';
import { CERTIFICATES, CLIENTS, COMPANY, ENGINES, LIGHTS, PARTNERS, PLACES, SLIDES, SUPPLIES } from './words.ts';

/** The texts of all records of every kind. Panels and inverters are real; the others are plausible inventions. */
export async function sampleRows(): Promise<Readonly<Partial<Record<ResourceName, readonly Values[]>>>> {
  const luck = chance(20_261_120);
  return {
    generators: ENGINES.flatMap((engine) => engine.powers.map((power) => generator(luck, engine, power))),
    'solar-panels': await readCsv('solar-panels.csv'),
    'grid-tie-inverters': await readCsv('grid-tie-inverters.csv'),
    'street-lights': LIGHTS.flatMap((light) => light.watts.map((watts) => streetLight(luck, light, watts))),
    ups: SUPPLIES.flatMap((supply) => supply.powers.map((power) => supplyOf(luck, supply, power))),
    partners: PARTNERS.map((name) => ({
      name,
      link: `https://www.${name.toLowerCase().replaceAll(/\W/g, '')}.example/`,
    })),
    'about-items': COMPANY.map((name) => ({ name })),
    certifications: CERTIFICATES.map(([category, name]) => ({ category, name })),
    sliders: SLIDES.map((text, index) => ({ text, serial: String(index + 1) })),
    projects: CLIENTS.map((client, index) => project(luck, client, index)),
  };
}

export const SAMPLE_SITE_META: Values = {
  title: 'Reliable power for homes and industry',
  phone: '+000 1234 567890',
  email: 'info@powercompany.example',
  address: 'House 12, Road 7, Industrial Area',
  fb: 'https://www.facebook.com/powercompany.example',
  tw: 'https://twitter.com/powercompany_ex',
  li: 'https://www.linkedin.com/company/powercompany-example',
  metaTag:
    '<meta name="description" content="Generators, solar panels, inverters, UPS and street lights.">\n<meta name="keywords" content="generator, solar, inverter, ups, street light">',
};

function generator(luck: Chance, engine: (typeof ENGINES)[number], power: number): Values {
  return {
    brand: engine.brand,
    capacity: `${power} kVA`,
    generator_model: `${engine.prefix}${power}${luck.pick(['', 'S', 'E', 'P'])}`,
    engine_model: `${engine.engine}-${luck.whole(3, 16)}${luck.pick(['TG', 'TAG', 'G', 'GA'])}${luck.whole(1, 4)}`,
    alternator_model: `${luck.pick(['Stamford', 'Leroy-Somer', 'Mecc Alte', 'Marathon'])} ${luck.pick(['UCI', 'S4', 'TAL', 'ECO'])}${luck.whole(22, 46)}${luck.pick(['4C', '4D', 'L', 'N'])}`,
    origin: engine.origin,
    series: engine.series,
  };
}

function streetLight(luck: Chance, light: (typeof LIGHTS)[number], watts: number): Values {
  return {
    brand: light.brand,
    capacity: `${watts} W`,
    model: `${light.prefix}-${watts}${luck.pick(['', 'A', 'B', 'PRO'])}`,
    origin: light.origin,
  };
}

function supplyOf(luck: Chance, supply: (typeof SUPPLIES)[number], power: number): Values {
  return {
    brand: supply.brand,
    capacity: power < 1000 ? `${power} VA` : `${power / 1000} kVA`,
    model: `${supply.prefix}${power / (power < 1000 ? 1 : 1000)}${power < 1000 ? '' : 'K'}${luck.pick(['', '-L', '-RT', '-S'])}`,
    origin: supply.origin,
    type: supply.type,
  };
}

function project(luck: Chance, client: string, index: number): Values {
  const isSolar = index % 2 === 0;
  const capacity = isSolar
    ? `${luck.whole(4, 90) * 10} kWp`
    : `${luck.pick([100, 200, 350, 500, 750, 1000, 1500])} kVA`;
  const place = luck.pick(PLACES);
  const what = isSolar ? 'rooftop solar plant' : 'standby power station';
  return {
    client_name: client,
    type: isSolar ? 'Rooftop Solor Panel' : 'Generator',
    capacity,
    project_name: `${capacity} ${what}, ${place}`,
    description: [
      `Design, supply and commissioning of a ${capacity} ${what} for ${client} in ${place}.`,
      `Finished in ${luck.whole(5, 26)} weeks, with training of the operators and ${luck.whole(1, 5)} years of maintenance.`,
      isSolar
        ? `Expected yield: ${luck.whole(11, 15) * 100} kWh per kWp and year.`
        : 'Automatic change-over within 10 seconds; fuel for 24 hours on site.',
    ].join('\n'),
  };
}
