import { settleDebt } from '../../api/auth.ts';
import { FactorChoice } from '../account/factor-choice.tsx';
import { useFactorSetUp } from '../account/use-factor-set-up.tsx';

/** Sets up a required second factor. The app opens once it is set up and its recovery codes were shown. */
export function OwedFactor() {
  const setUp = useFactorSetUp(() => void settleDebt());
  return (
    <>
      <FactorChoice setUp={setUp} />
      {setUp.dialogs}
    </>
  );
}
