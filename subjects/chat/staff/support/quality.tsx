import { Link } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import type { serviceStats } from '#subjects/chat/contract/im-support.ts';
import { fullAt, shortAt } from '#web/lib/format/times.ts';
import { cx } from '#web/ui/class-names.ts';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';
import { secondsText } from '#subjects/back-office/staff/parts/seconds.ts';

type Stats = Data<typeof serviceStats>;

/** Customer service agents with their figures. */
export function StatsTable({ list }: { list: Stats['list'] }) {
  if (list.length === 0) return <EmptyState title="没有客服">管理员可以在员工设置里添加客服。</EmptyState>;
  return (
    <AdminTable
      columns={[
        '客服',
        { num: '接待中' },
        { num: '接待' },
        { num: '首次回复' },
        { num: '解决' },
        { num: '解决用时' },
        { num: '评分' },
        { num: '质量分' },
      ]}
    >
      {list.map((row) => (
        <tr key={row.staffId}>
          <td className="whitespace-nowrap">
            <i className={cx('dot mr-2 inline-block', row.online && 'dot-on')} aria-hidden="true" />
            {row.name}
            <span className="ml-2 text-12 text-ink-3">
              {row.onDuty ? '当班' : '下班'}，{row.online ? '在线' : '离线'}
            </span>
          </td>
          <td className="num" data-label="接待中">
            {row.load} / {row.maxChats}
          </td>
          <td className="num" data-label="接待">
            {row.groups}
          </td>
          <td className="num" data-label="首次回复">
            {secondsText(row.firstReplySeconds)}
          </td>
          <td className="num" data-label="解决">
            {row.solved}
          </td>
          <td className="num" data-label="解决用时">
            {secondsText(row.solveSeconds)}
          </td>
          <td className="num" data-label="评分">
            {row.score === null ? '暂无' : `${row.score.toFixed(1)}（${row.ratings}）`}
          </td>
          <td className="num font-semibold" data-label="质量分">
            {row.quality ?? '单数不足'}
          </td>
        </tr>
      ))}
    </AdminTable>
  );
}

/** Recent ratings by users, bad ones included, with links to the conversations. */
export function Ratings({ ratings }: { ratings: Stats['ratings'] }) {
  return (
    <section className="panel mt-4 overflow-hidden" aria-label="最近评价">
      <h2 className="px-3 py-2 text-14 font-semibold">最近评价</h2>
      {ratings.length === 0 ? (
        <EmptyState title="还没有评价">用户在会话右上角可以评价客服。</EmptyState>
      ) : (
        <AdminTable columns={['客服', { num: '评分' }, '评价', '会话', '时间']}>
          {ratings.map((rating) => (
            <tr key={`${rating.groupId}-${rating.time}`}>
              <td>{rating.staffName}</td>
              <td className="num" data-label="评分">
                <Tag tone={rating.score <= 2 ? 'danger' : rating.score >= 4 ? 'safe' : 'attn'}>{rating.score} 分</Tag>
              </td>
              <td data-wide="">
                {rating.solved !== null && (
                  <span className="mr-2 text-12 text-ink-3">{rating.solved ? '已解决' : '未解决'}</span>
                )}
                {[...rating.tags, rating.content].filter(Boolean).join('，') || (
                  <span className="text-ink-3">没有文字</span>
                )}
              </td>
              <td className="whitespace-nowrap">
                <Link to={`/backstage/chat?scope=all&g=${rating.groupId}`} className="link">
                  {rating.orderSn ?? '会话'}
                </Link>
              </td>
              <td className="text-12 whitespace-nowrap text-ink-3">
                <time dateTime={rating.time} title={fullAt(rating.time)}>
                  {shortAt(rating.time)}
                </time>
              </td>
            </tr>
          ))}
        </AdminTable>
      )}
    </section>
  );
}
