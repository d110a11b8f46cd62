import { HandCoins } from 'lucide-react';
import { Amount } from '#web/ui/price.tsx';
import type { Opened } from './sell-loader.ts';

/** How many people look for such goods and what they would pay; says nothing where nobody does. */
export function DemandHint({ demand }: { demand: Opened['demand'] }) {
  if (!demand || demand.wants === 0) return null;
  return (
    <p className="flex gap-1.5 text-12 text-ink-2">
      <HandCoins className="icon mt-px size-3.5 text-brand-700" aria-hidden="true" />
      <span>
        现有 {demand.wants} 人在求购同类
        {demand.medianBudget && (
          <>
            ，预算多在 <Amount yuan={demand.medianBudget} /> 上下
          </>
        )}
        ；上架后会提醒他们。
      </span>
    </p>
  );
}
