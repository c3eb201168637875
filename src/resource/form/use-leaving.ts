import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';

/** Leaves after a save: the address changes once the form no longer counts as unsaved, so that nobody is asked. */
export function useLeaving() {
  const navigate = useNavigate();
  const [goal, setGoal] = useState<string>();
  useEffect(() => {
    if (goal !== undefined) void navigate(goal);
  }, [goal, navigate]);
  return {
    leaving: goal !== undefined,
    leaveTo: (path: string, asking = false) => (asking ? void navigate(path) : setGoal(path)),
  };
}
