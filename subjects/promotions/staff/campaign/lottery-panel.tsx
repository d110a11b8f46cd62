import { Link, useSearchParams } from 'react-router';
import type { staffLottery } from '#subjects/promotions/contract/staff-campaigns.ts';
import type { Data } from '#contract/endpoint.ts';
import { grouped } from '#web/lib/format/format.ts';
import { shortAt } from '#web/lib/format/times.ts';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';

/** The sites whose lottery can be viewed. */
function Sites({ lottery }: { lottery: Data<typeof staffLottery> }) {
  const [search] = useSearchParams();
  const to = (distId: number) => {
    const next = new URLSearchParams(search);
    next.set('distId', String(distId));
    return `?${next.toString()}`;
  };
  return (
    <nav aria-label="站点" className="flex gap-1 overflow-x-auto">
      {lottery.sites.map(({ distId, name }) => (
        <Link
          key={distId}
          to={to(distId)}
          className="pick flex-none"
          aria-current={distId === lottery.distId ? 'page' : undefined}
          preventScrollReset
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}

/** The draw of a site as it is now: its prizes with chances that add up to 100 %, what is left of the budget, and today's draws. */
export function LotteryPanel({ lottery }: { lottery: Data<typeof staffLottery> }) {
  const { prizes, nothingPercent, open, drawsPerDay, drawsToday, winsToday, budgetLeft } = lottery;
  return (
    <section className="panel mb-4 overflow-hidden" aria-labelledby="lottery">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line-soft px-4 py-2.5">
        <h2 id="lottery" className="text-14 font-semibold">
          抽奖
        </h2>
        {open ? <Tag tone="safe">开放</Tag> : <Tag>{prizes.length === 0 ? '没有奖品' : '已关闭'}</Tag>}
        <span className="text-12 text-ink-3">
          每人每天 {drawsPerDay} 次，今天全站抽了 {grouped(drawsToday)} 次、中了 {grouped(winsToday)} 次；奖品最多还支出{' '}
          <Amount yuan={budgetLeft} />
        </span>
        {lottery.sites.length > 1 && (
          <span className="ml-auto max-lg:ml-0">
            <Sites lottery={lottery} />
          </span>
        )}
      </div>
      {prizes.length === 0 ? (
        <p className="px-4 py-3 text-13 text-ink-3">
          新建活动时填「抽奖概率」，就成为奖品；没有奖品时抽奖页显示未开放。
        </p>
      ) : (
        <AdminTable columns={['奖品', { num: '概率' }, { num: '剩余' }, { num: '预算' }, { num: '每人限得' }, '到期']}>
          {prizes.map((prize) => (
            <tr key={prize.campaignId}>
              <td data-wide="">
                <b className="font-medium">{prize.name}</b>
              </td>
              <td className="num" data-label="概率">
                {prize.liveOddsPercent}%
                {prize.liveOddsPercent !== prize.oddsPercent && (
                  <span className="block text-12 text-ink-3">已抽完，原 {prize.oddsPercent}%</span>
                )}
              </td>
              <td className="num" data-label="剩余">
                {grouped(prize.left)} / {grouped(prize.total)}
              </td>
              <td className="num" data-label="预算">
                <Amount yuan={prize.budget} />
              </td>
              <td className="num" data-label="每人限得">
                {prize.perPerson}
              </td>
              <td className="text-12 whitespace-nowrap text-ink-3" data-label="到期">
                {shortAt(prize.endTime)}
              </td>
            </tr>
          ))}
          <tr>
            <td data-wide="" className="text-ink-3">
              未中奖
            </td>
            <td className="num" data-label="概率">
              {nothingPercent}%
            </td>
            <td colSpan={4} className="text-12 text-ink-3">
              与奖品合计 100%，抽奖页公开的就是这张表
            </td>
          </tr>
        </AdminTable>
      )}
    </section>
  );
}
