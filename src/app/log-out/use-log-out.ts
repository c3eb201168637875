import { useNavigate } from 'react-router-dom';

/** Logs out and goes to the sign-in. The code for it is fetched when it is wanted. */
export function useLogOut(): () => void {
  const navigate = useNavigate();
  const leave = async () => {
    const { logOut } = await import('./log-out.ts');
    if (await logOut()) await navigate('/login', { replace: true });
  };
  return () => void leave();
}
