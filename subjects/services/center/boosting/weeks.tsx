import type { boosterStatistics } from '#subjects/services/contract/boosting.ts';
import type { Data } from '#contract/endpoint.ts';
import { ProviderWeeks, rateText } from '#subjects/quick-coin/web/parts/coin/provider-weeks.tsx';

/** A booster's figures: views, orders, punctuality, and the income of each of the last weeks. */
export function Weeks({ statistics }: { statistics: Data<typeof boosterStatistics> }) {
  return (
    <ProviderWeeks
      title="接单数据"
      note="收入为已到账和保护期内的货款，不含平台佣金"
      figures={[
        ['套餐浏览', String(statistics.views)],
        ['近 30 日接单', String(statistics.orders30)],
        ['近 30 日完成', String(statistics.done30)],
        ['近 30 日取消', String(statistics.cancelled30)],
        ['准时率', rateText(statistics.onTimeRate)],
        ['账号被处罚', `${statistics.bans} 次`],
      ]}
      weeks={statistics.weeks.map(({ income, ...week }) => ({ ...week, amount: income }))}
    />
  );
}
