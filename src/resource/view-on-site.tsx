import SiteIcon from '@mui/icons-material/OpenInNewOutlined';
import Button from '@mui/material/Button';
import type { AnyResource } from '../domain/resource.ts';
import { sitePageOf } from '../domain/site-pages.ts';
import { useSettings } from '../stores/settings.ts';
import { t } from '../language/t.ts';

/** Links a record that the server has to its page on the public site. Renders nothing if there is none. */
export function ViewOnSite({ resource, id }: { readonly resource: AnyResource; readonly id: number }) {
  const page = sitePageOf(useSettings(), resource, id);
  if (page === undefined) return null;
  return (
    <Button
      component="a"
      href={page}
      target="_blank"
      rel="noopener"
      color="inherit"
      variant="outlined"
      startIcon={<SiteIcon />}
      aria-label={viewOnSite()}
    >
      {t('View on the site')}
    </Button>
  );
}

/** The name of the link for whoever does not see that it opens a tab. */
export function viewOnSite(): string {
  return t('View on the site, in a new tab');
}
