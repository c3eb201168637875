import AboutIcon from '@mui/icons-material/CollectionsOutlined';
import GeneratorIcon from '@mui/icons-material/ElectricBoltOutlined';
import InverterIcon from '@mui/icons-material/ElectricMeterOutlined';
import ProjectIcon from '@mui/icons-material/DomainAddOutlined';
import PartnerIcon from '@mui/icons-material/HandshakeOutlined';
import StreetLightIcon from '@mui/icons-material/LightOutlined';
import SolarPanelIcon from '@mui/icons-material/SolarPowerOutlined';
import PlainIcon from '@mui/icons-material/CategoryOutlined';
import UpsIcon from '@mui/icons-material/BatteryChargingFullOutlined';
import SliderIcon from '@mui/icons-material/ViewCarouselOutlined';
import CertificationIcon from '@mui/icons-material/WorkspacePremiumOutlined';
import type { SvgIconComponent } from '@mui/icons-material';
import { RESOURCES, type ResourceName } from '../domain/resources/index.ts';

const ICONS: Readonly<Partial<Record<ResourceName, SvgIconComponent>>> = {
  sliders: SliderIcon,
  projects: ProjectIcon,
  generators: GeneratorIcon,
  'solar-panels': SolarPanelIcon,
  'grid-tie-inverters': InverterIcon,
  ups: UpsIcon,
  'street-lights': StreetLightIcon,
  partners: PartnerIcon,
  certifications: CertificationIcon,
  'about-items': AboutIcon,
};

/** The icon of each resource. A resource without its own icon gets a generic one. */
export const RESOURCE_ICONS = Object.fromEntries(
  RESOURCES.map(({ name }) => [name, ICONS[name] ?? PlainIcon]),
) as Readonly<Record<ResourceName, SvgIconComponent>>;
