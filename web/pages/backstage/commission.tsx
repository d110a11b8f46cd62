import { SettlementStatus } from '#contract/rules/statuses.ts';
import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import {
  requestSettlement,
  commissionDays,
  paySettlement,
  rejectSettlement,
  settlementList,
  type StaffSettlement,
} from '#contract/backstage-promos.ts';
import { staffCan } from '#contract/rules/staff.ts';
import { call } from '#web/lib/api.ts';
import { market } from '#web/lib/context.ts';
import { fenOf } from '#web/lib/format.ts';
import { pageMeta } from '#web/lib/site.ts';
import { ListEnd } from '#web/ui/list-end.tsx';
import { shortAt } from '#web/lib/times.ts';
import { useCursorList } from '#web/lib/use-cursor-list.ts';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/toast-store.ts';
import { FilterBar, FilterSelect } from './parts/filter-bar.tsx';
import { AdminTable } from './parts/admin-table.tsx';
import { ReasonDialog } from './parts/reason-dialog.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '分销佣金', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { call: request, staff } = market(args);
  const distIdParam = args.url.searchParams.get('distId') ?? '';
  const [days, settlements] = await Promise.all([
    request(commissionDays, /^\d{1,9}$/.test(distIdParam) ? { distId: distIdParam } : {}),
    request(settlementList, { pageSize: 20 }),
  ]);
  return {
    days,
    settlements,
    canRequest: staffCan(staff, 'commission.ask'),
    canPay: staffCan(staff, 'commission.pay'),
  };
}

type Days = Awaited<ReturnType<typeof loader>>['days'];
type SettlementAction = { kind: 'ask' } | { kind: 'pay' | 'refuse'; item: StaffSettlement };

function DayTable({ days }: { days: Days['days'] }) {
  if (days.length === 0) return <EmptyState title="还没有佣金">该分销站的订单交易成功后，按天记在这里。</EmptyState>;
  return (
    <AdminTable columns={['日期', { num: '成交订单' }, { num: '成交额' }, { num: '佣金' }, { num: '已结算' }, '状态']}>
      {days.map((d) => (
        <tr key={d.day}>
          <td className="font-medium">{d.day}</td>
          <td className="num">{d.orders}</td>
          <td className="num">
            <Amount yuan={d.paid} />
          </td>
          <td className="num font-semibold">
            <Amount yuan={d.share} />
          </td>
          <td className="num">{fenOf(d.settled) > 0 ? <Amount yuan={d.settled} sign="-" /> : '—'}</td>
          <td>{d.closed ? <Tag>已日结</Tag> : <Tag tone="attn">当天</Tag>}</td>
        </tr>
      ))}
    </AdminTable>
  );
}

/** Amounts that are not payable yet, with their release time, and what is deducted from the next settlement. */
function Maturing({ days }: { days: Days }) {
  if (days.maturingOrders.length === 0 && days.debts.length === 0) return null;
  return (
    <section className="panel mb-4 overflow-hidden" aria-labelledby="maturing">
      <div className="panel-head">
        <h2 id="maturing">待结算佣金</h2>
        <p>订单保护期结束后可结算；保护期内退款或理赔的，按同样比例收回</p>
      </div>
      {days.maturingOrders.length > 0 && (
        <AdminTable columns={['订单', { num: '佣金' }, '到期']}>
          {days.maturingOrders.map((m) => (
            <tr key={m.orderSn}>
              <td>{m.orderSn}</td>
              <td className="num">
                <Amount yuan={m.share} />
              </td>
              <td className="text-12 text-ink-3">
                {m.releaseTime ? shortAt(m.releaseTime) : '申诉或理赔处理中，暂停计时'}
              </td>
            </tr>
          ))}
        </AdminTable>
      )}
      {days.debts.map((d) => (
        <p key={`${d.time}${d.reason}`} className="border-t border-line-soft px-4 py-2 text-13">
          <Tag tone="danger">欠款</Tag> {d.reason}，共 <Amount yuan={d.amount} />
          ，还剩 <Amount yuan={d.rest} />
          ，从之后的佣金中扣回
        </p>
      ))}
    </section>
  );
}

function SettlementRow({
  item,
  canPay,
  onAction,
}: {
  item: StaffSettlement;
  canPay: boolean;
  onAction: (action: SettlementAction) => void;
}) {
  const tone =
    item.status === SettlementStatus.Pending ? 'attn' : item.status === SettlementStatus.Paid ? 'safe' : undefined;
  return (
    <tr>
      <td>
        <CopyButton text={item.settlementSn} label="结算编号" />
        <span className="block text-12 text-ink-3">{item.distName}</span>
      </td>
      <td className="num font-semibold">
        <Amount yuan={item.amount} />
      </td>
      <td>
        <Tag {...(tone && { tone })}>{item.statusName}</Tag>
      </td>
      <td data-wide="" className="text-12 text-ink-3">
        {item.askedBy} 申请
        {item.firstBy && `，${item.firstBy} 初审`}
        {item.decidedBy && `，${item.decidedBy} ${item.status === SettlementStatus.Paid ? '打款' : '退回'}`}
        {item.receiptNo && <span className="block">回单 {item.receiptNo}</span>}
        {item.note && <span className="block text-ink-2">{item.note}</span>}
      </td>
      <td className="text-12 whitespace-nowrap text-ink-3">{shortAt(item.time)}</td>
      <td className="num whitespace-nowrap">
        {canPay && item.status === SettlementStatus.Pending && (
          <>
            <Button
              size="sm"
              disabled={item.isMine}
              title={item.isMine ? '您已初审，需另一位同事复核' : undefined}
              onClick={() => onAction({ kind: 'pay', item })}
            >
              {item.firstBy ? '复核打款' : '登记打款'}
            </Button>{' '}
            <Button size="sm" kind="ghost" onClick={() => onAction({ kind: 'refuse', item })}>
              退回
            </Button>
          </>
        )}
      </td>
    </tr>
  );
}

function ActionDialog({
  action,
  days,
  onDone,
  onClose,
}: {
  action: SettlementAction;
  days: Days;
  onDone: () => void;
  onClose: () => void;
}) {
  if (action.kind === 'ask') {
    return (
      <ReasonDialog
        title="申请结算佣金"
        action="提交申请"
        question={
          <>
            可结算 <Amount yuan={days.balance} className="font-semibold" />
            ，最低 100 元，由财务打款到合同约定的对公账户。
          </>
        }
        reasonLabel="结算金额（元）"
        isReasonNeeded
        send={async (amount) => {
          await call(requestSettlement, { distId: days.distId, amount }, { quiet: true });
          toast('已提交，等待财务打款', 'ok');
        }}
        onDone={onDone}
        onClose={onClose}
      />
    );
  }
  const { item, kind } = action;
  const isPay = kind === 'pay';
  return (
    <ReasonDialog
      title={isPay ? '登记佣金已打款' : '退回佣金结算'}
      action={isPay ? '确认已打款' : '退回'}
      question={
        <>
          {item.distName} <Amount yuan={item.amount} className="font-semibold" />
          {isPay && item.needsSecond && !item.firstBy && '。金额较大，需另一位同事复核后入账'}
        </>
      }
      reasonLabel={isPay ? '银行回单号' : '退回原因'}
      isReasonNeeded
      send={async (note) => {
        if (!isPay) {
          await call(rejectSettlement, { settlementSn: item.settlementSn, reason: note }, { quiet: true });
          toast('已退回', 'ok');
          return;
        }
        const result = await call(paySettlement, { settlementSn: item.settlementSn, receiptNo: note }, { quiet: true });
        toast(result.needsSecond ? '已初审，等待另一位同事复核' : '已入账', 'ok');
      }}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

/** Distributors' commission by day and its settlements: operators view and request, finance pays. */
export default function CommissionPage() {
  const { days, settlements, canRequest, canPay } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const [action, setAction] = useState<SettlementAction | null>(null);
  const { items, next, busy, error, more } = useCursorList(
    settlements,
    (cursor) => call(settlementList, { pageSize: 20, cursor }, { quiet: true }),
    ({ settlementSn }) => settlementSn,
  );
  return (
    <>
      <div className="office-head">
        <h1>分销佣金</h1>
        <p>
          可结算 <Amount yuan={days.balance} />
          ，待结算 <Amount yuan={days.maturing} />
        </p>
        <div className="ml-auto flex gap-2 max-lg:ml-0">
          {days.dists.length > 1 && (
            <FilterBar names={['distId']}>
              <FilterSelect
                name="distId"
                label="分销商"
                all="默认分销商"
                options={days.dists.map((d) => [d.distId, d.name] as const)}
              />
            </FilterBar>
          )}
          {canRequest && (
            <Button kind="primary" size="sm" onClick={() => setAction({ kind: 'ask' })}>
              申请结算
            </Button>
          )}
        </div>
      </div>
      <section className="panel mb-4 overflow-hidden" aria-labelledby="settlements">
        <div className="panel-head">
          <h2 id="settlements">结算记录</h2>
        </div>
        {items.length === 0 ? (
          <EmptyState title="还没有结算记录">分销商运营提交申请后，财务在这里登记打款。</EmptyState>
        ) : (
          <>
            <AdminTable columns={['编号', { num: '金额' }, '状态', '经办', '时间', { num: '操作' }]}>
              {items.map((item) => (
                <SettlementRow key={item.settlementSn} item={item} canPay={canPay} onAction={setAction} />
              ))}
            </AdminTable>
            <ListEnd next={next} busy={busy} error={error} onMore={more} />
          </>
        )}
      </section>
      <Maturing days={days} />
      <section className="panel overflow-hidden" aria-label="佣金日结单">
        <DayTable days={days.days} />
      </section>
      {action && (
        <ActionDialog
          action={action}
          days={days}
          onDone={() => {
            setAction(null);
            void revalidate();
          }}
          onClose={() => setAction(null)}
        />
      )}
    </>
  );
}
