import { styled } from '@mui/material/styles';
import { uploadAddress } from '../../domain/resource.ts';
import { useSettings } from '../../stores/settings.ts';
import { navColour } from '../../ui/tokens.ts';

const OWN_LOGO = '/icons/icon.svg';

/** The top of the sidebar: logo, brand and company location. */
export function Brand() {
  const { brandLabel, locationLine } = useSettings();
  return (
    <Frame>
      <Logo />
      <div>
        <Name>{brandLabel}</Name>
        {locationLine !== '' && <Place>{locationLine}</Place>}
      </div>
    </Frame>
  );
}

/** The installation's logo, or the app's own if none is set. */
function Logo({ size = 40 }: { size?: number }) {
  const { logoPath, brandLabel } = useSettings();
  return <Picture src={logoAddress(logoPath)} alt={brandLabel} width={size} height={size} />;
}

/** A bare file name is an uploaded file; anything with a slash is an address on this site. */
function logoAddress(logoPath: string): string {
  if (logoPath === '') return OWN_LOGO;
  return logoPath.includes('/') ? logoPath : uploadAddress(logoPath);
}

const Frame = styled('div')({ display: 'flex', alignItems: 'center', gap: 12, padding: '18px 20px 14px' });

const Picture = styled('img')({ borderRadius: 10, objectFit: 'contain', flex: 'none' });

const Name = styled('div')({
  color: navColour.text,
  fontSize: '1.0625rem',
  fontWeight: 700,
  letterSpacing: '-0.012em',
  lineHeight: 1.25,
});

const Place = styled('div')({ color: navColour.quiet, fontSize: '0.8125rem', lineHeight: 1.35 });
