import { useState } from 'react';
import { Link, useRevalidator } from 'react-router';
import { type StaffStatement, statementList } from '#subjects/payments/contract/staff-reconcile.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '#web/lib/api/api.ts';
import { grouped } from '#web/lib/format/format.ts';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { fullAt } from '#web/lib/format/times.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { Button } from '#web/ui/button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';
import { ImportStatement, type Wanted } from './import-statement.tsx';

export const STATEMENTS_PAGE = 30;

function Row({ s }: { s: StaffStatement }) {
  return (
    <tr>
      <td className="whitespace-nowrap">
        <b className="font-medium">{s.day}</b> {s.channelName}
      </td>
      <td className="num" data-label="行数">
        {grouped(s.matched)} / {grouped(s.lines)}
      </td>
      <td>
        {s.open === 0 ? (
          <Tag tone="safe">已对平</Tag>
        ) : (
          <Link to="?tab=open" className="link hit">
            <Tag tone="attn">{grouped(s.open)} 条差异</Tag>
          </Link>
        )}
      </td>
      <td className="num" data-label="收款">
        <Amount yuan={s.pay} />
      </td>
      <td className="num" data-label="退款">
        <Amount yuan={s.refund} />
      </td>
      <td className="num" data-label="提现">
        <Amount yuan={s.transfer} />
      </td>
      <td className="num" data-label="手续费">
        <Amount yuan={s.fee} />
      </td>
      <td className="text-12 text-ink-3">
        {s.source === 'fetch' ? '自动获取' : (s.fileName ?? '上传')}
        <span className="block whitespace-nowrap">
          {s.staffName ?? '系统'} {fullAt(s.time)}
        </span>
      </td>
    </tr>
  );
}

/** Days with payments whose statement is not imported yet; clicking one selects it. */
function Missing({ days, onPick }: { days: Data<typeof statementList>['missing']; onPick: (wanted: Wanted) => void }) {
  if (days.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="missing">
      <div className="panel-head">
        <h2 id="missing">还缺的账单</h2>
        <p>最近 7 天有资金进出</p>
      </div>
      <div className="flex flex-wrap gap-1.5 p-4">
        {days.map(({ channel, name, day }) => (
          <Button key={`${channel}${day}`} size="sm" onClick={() => onPick({ channel, day })}>
            {day.slice(5)} {name}
          </Button>
        ))}
      </div>
    </section>
  );
}

/** Statements by day, the import of a new one, and the missing days. */
export function Statements({
  first,
  canAct,
  yesterday,
}: {
  first: Data<typeof statementList>;
  canAct: boolean;
  yesterday: string;
}) {
  const { revalidate } = useRevalidator();
  const [wanted, setWanted] = useState<Wanted>({ channel: first.channels[0]?.channel ?? 'alipay', day: yesterday });
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(statementList, { pageSize: STATEMENTS_PAGE, cursor }, { quiet: true }),
    ({ statementId }) => statementId,
  );
  return (
    <div className={canAct ? 'grid items-start gap-4 lg:grid-cols-[360px_minmax(0,1fr)]' : undefined}>
      {canAct && (
        <div className="grid gap-4">
          <ImportStatement
            channels={first.channels}
            wanted={wanted}
            onWanted={setWanted}
            onImported={() => void revalidate()}
          />
          <Missing days={first.missing} onPick={setWanted} />
        </div>
      )}
      <section className="panel overflow-hidden" aria-label="账单">
        {items.length === 0 ? (
          <EmptyState title="还没有导入过账单">
            选择渠道和日期，上传从渠道下载的账单；真实渠道每天上午十点后也会自动获取。
          </EmptyState>
        ) : (
          <>
            <AdminTable
              columns={[
                '账单',
                { num: '对平' },
                '结果',
                { num: '收款' },
                { num: '退款' },
                { num: '提现' },
                { num: '手续费' },
                '来源',
              ]}
            >
              {items.map((s) => (
                <Row key={s.statementId} s={s} />
              ))}
            </AdminTable>
            <ListEnd next={next} busy={busy} error={error} onMore={more} />
          </>
        )}
      </section>
    </div>
  );
}
