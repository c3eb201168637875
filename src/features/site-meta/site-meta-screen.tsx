import { SITE_META } from '../../domain/site-meta.ts';
import { PageHeader } from '../../ui/page-header.tsx';

/** The site-wide settings. */
export default function SiteMetaScreen() {
  return <PageHeader title={SITE_META.label} />;
}
