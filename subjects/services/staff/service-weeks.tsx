import type { staffServiceWeeks } from '#subjects/services/contract/staff-services.ts';
import type { Data } from '#contract/endpoint.ts';
import { Amount } from '#web/ui/price.tsx';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';

type Week = Data<typeof staffServiceWeeks>['weeks'][number];

/** Orders of services by the week of their payment: folded to the newest four until expanded. */
export function ServiceWeeks({ weeks }: { weeks: readonly Week[] }) {
  return (
    <details className="group border-t border-line-soft">
      <summary className="flex cursor-pointer items-baseline gap-3 px-4 py-2.5 text-13">
        <h2 className="font-medium">按周统计</h2>
        <p className="text-12 text-ink-3">
          按付款的周：本周 {weeks[0]?.orders ?? 0} 单，上周 {weeks[1]?.orders ?? 0} 单
        </p>
        <span className="link ml-auto text-12 group-open:hidden">展开</span>
        <span className="link ml-auto hidden text-12 group-open:inline">收起</span>
      </summary>
      <AdminTable
        columns={[
          '周',
          { num: '付款订单' },
          { num: '实付' },
          { num: '完成' },
          { num: '准时' },
          { num: '申诉' },
          { num: '平台收入' },
          { num: '退款' },
        ]}
      >
        {weeks.map((week) => (
          <tr key={week.start}>
            <td data-wide="">{week.start} 起</td>
            <td className="num" data-label="付款订单">
              {week.orders}
            </td>
            <td className="num" data-label="实付">
              <Amount yuan={week.paid} />
            </td>
            <td className="num" data-label="完成">
              {week.done}
            </td>
            <td className="num" data-label="准时">
              {week.done === 0 ? '—' : `${week.onTime}（${Math.round((week.onTime / week.done) * 100)}%）`}
            </td>
            <td className="num" data-label="申诉">
              {week.disputes}
            </td>
            <td className="num" data-label="平台收入">
              <Amount yuan={week.income} />
            </td>
            <td className="num" data-label="退款">
              <Amount yuan={week.refunds} />
            </td>
          </tr>
        ))}
      </AdminTable>
    </details>
  );
}
