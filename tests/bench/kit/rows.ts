/** An inverter as returned by the list call. */
export interface InverterRow {
  readonly id: number;
  readonly brand: string;
  readonly model: string;
}

/** An inverter as stored. */
export interface Inverter extends InverterRow {
  readonly type: 'Single Phase' | 'Three Phase';
  readonly capacity: string;
}

const BRANDS = ['ABB', 'Delta', 'Enphase', 'Fronius', 'Huawei', 'KACO', 'Power-One', 'Schneider', 'SMA', 'SolarEdge'];
const FAMILIES = ['MICRO', 'UNO', 'TRIO', 'PRIMO', 'SYMO', 'STP', 'PVI', 'SUN2000', 'Solivia', 'Conext'];
const GRIDS = ['I-OUTD-US-208', 'I-OUTD-US-240', 'S-US-A', 'TL-US-22', 'HV-I-OUTD-US-277'];

/** Returns `count` inverters named as in a real catalogue. Deterministic. */
export function inverters(count: number): Inverter[] {
  return Array.from({ length: count }, (_, index) => {
    const kilowatts = 0.25 + ((index * 7) % 240) / 4;
    const family = FAMILIES[(index * 3) % FAMILIES.length] ?? '';
    const grid = GRIDS[index % GRIDS.length] ?? '';
    return {
      id: index + 1,
      type: kilowatts > 12 ? 'Three Phase' : 'Single Phase',
      brand: BRANDS[Math.floor((index * 13) / 7) % BRANDS.length] ?? '',
      capacity: `${kilowatts} kW`,
      model: `${family}-${kilowatts}-${grid}-${index + 1}`,
    };
  });
}

/** The list call's answer for them. */
export function listRows(count: number): InverterRow[] {
  return inverters(count).map(({ id, brand, model }) => ({ id, brand, model }));
}
