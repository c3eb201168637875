import { settleDebt } from '../../api/auth.ts';
import { FactorChoice } from '../account/factor-choice.tsx';
import { useFactorSetUp } from '../account/use-factor-set-up.tsx';

/** The choice of a second factor where one is required. Once it is set up, and its recovery codes were seen, the screens come back. */
export function OwedFactor() {
  const setUp = useFactorSetUp(() => void settleDebt());
  return (
    <>
      <FactorChoice setUp={setUp} />
      {setUp.dialogs}
    </>
  );
}
