import sharp from 'sharp';
import type { ResourceName } from '../../src/domain/resource.ts';
import { chance } from './chance.ts';
import type { Scene } from './scenes/draw.ts';
import { generatorScene, inverterScene, upsScene } from './scenes/machines.ts';
import { panelScene, streetLightScene } from './scenes/outside.ts';
import { certificateScene, logoScene } from './scenes/papers.ts';
import { companyScene, heroScene, projectScene } from './scenes/sites.ts';

/** The scene of each kind's pictures. A project's `image` is the logo of its client. */
const SCENES: Readonly<Partial<Record<ResourceName, Scene>>> = {
  generators: generatorScene,
  'solar-panels': panelScene,
  'grid-tie-inverters': inverterScene,
  'street-lights': streetLightScene,
  ups: upsScene,
  partners: logoScene,
  'about-items': companyScene,
  certifications: certificateScene,
  sliders: heroScene,
  projects: projectScene,
};

/** Distinct pictures per kind. Further records share their bytes. */
const VARIANTS = 24;

/** Pictures of a kind as JPEG, at most `count`. */
export function picturesOf(resource: ResourceName, count: number): Promise<Buffer[]> {
  return render(SCENES[resource] ?? companyScene, Math.min(count, VARIANTS));
}

/** Client logos. */
export function clientLogos(count: number): Promise<Buffer[]> {
  return render(logoScene, Math.min(count, VARIANTS), 500);
}

function render(scene: Scene, count: number, seed = 1): Promise<Buffer[]> {
  const drawings = Array.from({ length: count }, (_, index) => Buffer.from(scene(chance(seed + index * 7919))));
  return Promise.all(drawings.map((drawing) => sharp(drawing).jpeg({ quality: 82 }).toBuffer()));
}
