import { styled } from '@mui/material/styles';
import { PageHeader } from '../../ui/page-header.tsx';
import { Surface } from '../../ui/surface.tsx';
import { PasswordForm } from './password-form.tsx';
import { t } from '../../language/t.ts';

/** Changes the password. */
export default function PasswordScreen() {
  return (
    <>
      <PageHeader title={t('Change Password')} />
      <Sheet>
        <PasswordForm />
      </Sheet>
    </>
  );
}

const Sheet = styled(Surface)({ maxWidth: 520 });
