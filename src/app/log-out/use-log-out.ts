import { useNavigate } from 'react-router-dom';

/** Returns a function that logs out and opens the sign-in. Its code loads on demand. */
export function useLogOut(): () => void {
  const navigate = useNavigate();
  const leave = async () => {
    const { logOut } = await import('./log-out.ts');
    if (await logOut()) await navigate('/login', { replace: true });
  };
  return () => void leave();
}
