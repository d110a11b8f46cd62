import { HandCoins } from 'lucide-react';
import { Amount } from '#web/ui/price.tsx';
import type { Opened } from './sell-loader.ts';

/**
 * How many buyers want such a listing, what they would pay, and which of them are notified; without any, who can find it later. Renders
 * nothing when unknown.
 */
export function DemandHint({ demand }: { demand: Opened['demand'] }) {
  if (!demand) return null;
  const { wants, searches, medianBudget } = demand;
  return (
    <p className="flex gap-1.5 text-12 text-ink-2">
      <HandCoins className="icon mt-px size-3.5 text-brand-700" aria-hidden="true" />
      {wants + searches === 0 ? (
        <span>暂时没有人求购同类；上架后，之后发布求购或订阅搜索的买家都能看到它。</span>
      ) : (
        <span>
          现有
          {wants > 0 && ` ${wants} 人在求购同类`}
          {medianBudget && (
            <>
              （预算集中在 <Amount yuan={medianBudget} /> 左右）
            </>
          )}
          {wants > 0 && searches > 0 && '，'}
          {searches > 0 && `${wants > 0 ? '' : ' '}${searches} 人订阅了同类搜索`}
          ；上架后，条件和预算符合的会收到通知。
        </span>
      )}
    </p>
  );
}
