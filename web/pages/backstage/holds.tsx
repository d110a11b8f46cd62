import { Lock } from 'lucide-react';
import { useState } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { releaseHoldEarly, type StaffHold, staffHoldList } from '#contract/backstage-money.ts';
import { staffCan } from '#contract/rules/staff.ts';
import { call } from '#web/lib/api.ts';
import { market } from '#web/lib/context.ts';
import { countText, fenOf } from '#web/lib/format.ts';
import { pageMeta } from '#web/lib/site.ts';
import { ListEnd } from '#web/ui/list-end.tsx';
import { fullAt, shortAt } from '#web/lib/times.ts';
import { useCursorList } from '#web/lib/use-cursor-list.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/toast-store.ts';
import { FreezeDialog } from './parts/freeze-dialog.tsx';
import { FilterBar, FilterSelect, FilterKeyword } from './parts/filter-bar.tsx';
import { ReasonDialog } from './parts/reason-dialog.tsx';
import { AdminTable } from './parts/admin-table.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '冻结款', noindex: true });
}

const codes = ['sale_protection', 'withdrawal', 'refund', 'staff_freeze'] as const;

export async function loader(args: LoaderFunctionArgs) {
  const { call: request, staff } = market(args);
  const of = (name: string) => args.url.searchParams.get(name) || undefined;
  const code = of('code');
  const query = {
    code: codes.find((candidate) => candidate === code),
    keyWord: of('keyWord'),
    pageSize: 30,
  };
  return {
    first: await request(staffHoldList, query),
    query,
    canRelease: staffCan(staff, 'hold.release'),
    canFreeze: staffCan(staff, 'money.freeze'),
  };
}

function Row({ hold, canRelease, onRelease }: { hold: StaffHold; canRelease: boolean; onRelease: () => void }) {
  return (
    <tr>
      <td>
        <Link to={`/backstage/users?keyWord=${hold.userId}`} className="font-medium hover:text-link">
          {hold.nickName}
        </Link>
      </td>
      <td className="num font-semibold">
        <Amount yuan={hold.amount} />
      </td>
      <td data-wide="">
        {hold.codeName}
        {hold.disputed && (
          <Tag tone="danger" className="ml-1.5">
            申诉中
          </Tag>
        )}
        <span className="block text-12 text-ink-3">{hold.reason}</span>
      </td>
      <td className="whitespace-nowrap">
        {hold.orderSn && (
          <Link to={`/backstage/orders/${hold.orderSn}`} className="link hit">
            {hold.orderSn}
          </Link>
        )}
      </td>
      <td className="text-12 whitespace-nowrap text-ink-3">
        <time dateTime={hold.createTime} title={fullAt(hold.createTime)}>
          {shortAt(hold.createTime)} 起
        </time>
        {hold.releaseTime && (
          <time dateTime={hold.releaseTime} title={fullAt(hold.releaseTime)} className="block text-ink-2">
            {shortAt(hold.releaseTime)} 到期
          </time>
        )}
      </td>
      <td className="num">
        {hold.askedBy && (
          <span className="mr-2 text-12 text-attn" title={hold.askedReason ?? undefined}>
            {hold.askedBy}申请解冻
          </span>
        )}
        {canRelease && hold.canRelease && (
          <Button
            size="sm"
            disabled={hold.isMine}
            title={hold.isMine ? '您已申请，需另一位同事复核' : undefined}
            onClick={onRelease}
          >
            {hold.askedBy ? '复核解冻' : hold.code === 'staff_freeze' ? '解除冻结' : '提前解冻'}
          </Button>
        )}
      </td>
    </tr>
  );
}

function ReleaseDialog({
  hold,
  isLarge,
  onDone,
  onClose,
}: {
  hold: StaffHold;
  isLarge: boolean;
  onDone: () => void;
  onClose: () => void;
}) {
  const name = hold.askedBy ? '复核解冻' : hold.code === 'staff_freeze' ? '解除冻结' : '提前解冻';
  return (
    <ReasonDialog
      title={name}
      action={name}
      question={
        <>
          {hold.nickName} 的 <Amount yuan={hold.amount} className="font-semibold" />（{hold.codeName}）
          {hold.askedBy && `，${hold.askedBy}申请原因：${hold.askedReason ?? ''}`}。
          {isLarge && !hold.askedBy ? '金额较大，提交后需另一位同事复核。' : '解冻后立即转入用户可用余额，不能撤回。'}
        </>
      }
      reasonLabel="解冻原因"
      isReasonNeeded
      send={async (reason) => {
        const { released } = await call(releaseHoldEarly, { holdId: hold.holdId, reason }, { quiet: true });
        toast(released ? '已解冻' : '已申请，等待另一位同事复核', 'ok');
      }}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

/** All frozen amounts with reason and release time. A protection period can be ended early; above the limit by two people. */
export default function HoldsPage() {
  const { first, query, canRelease, canFreeze } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const [chosen, setChosen] = useState<StaffHold | null>(null);
  const [freezing, setFreezing] = useState(false);
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(staffHoldList, { ...query, cursor }, { quiet: true }),
    ({ holdId }) => holdId,
  );
  return (
    <>
      <div className="office-head">
        <h1>冻结款</h1>
        <p>
          {countText(first.total, first.more)} 笔，合计 <Amount yuan={first.sum} />
        </p>
        <div className="ml-auto max-lg:ml-0">
          <FilterBar names={['code', 'keyWord']}>
            <FilterSelect
              name="code"
              label="冻结类型"
              all="全部类型"
              options={[
                ['sale_protection', '售出保护期'],
                ['withdrawal', '提现处理中'],
                ['refund', '原路退回中'],
                ['staff_freeze', '平台冻结'],
              ]}
            />
            <FilterKeyword placeholder="订单编号、用户编号或昵称" />
          </FilterBar>
        </div>
        {canFreeze && (
          <Button size="sm" onClick={() => setFreezing(true)}>
            <Lock className="icon" aria-hidden="true" />
            冻结用户资金
          </Button>
        )}
      </div>
      <section className="panel overflow-hidden" aria-label="冻结款">
        {items.length === 0 ? (
          <EmptyState
            title={query.keyWord ? '没有找到这笔冻结款，可能已解冻' : '没有冻结中的款项'}
            action={query.keyWord ? <ButtonLink to="/backstage/holds">看全部冻结款</ButtonLink> : null}
          >
            订单完成后的保护期、处理中的提现会在这里列出。
          </EmptyState>
        ) : (
          <>
            <AdminTable columns={['用户', { num: '金额' }, '原因', '订单', '时间', { num: '操作' }]}>
              {items.map((hold) => (
                <Row key={hold.holdId} hold={hold} canRelease={canRelease} onRelease={() => setChosen(hold)} />
              ))}
            </AdminTable>
            <ListEnd next={next} busy={busy} error={error} onMore={more} />
          </>
        )}
      </section>
      {freezing && (
        <FreezeDialog
          onDone={() => {
            setFreezing(false);
            void revalidate();
          }}
          onClose={() => setFreezing(false)}
        />
      )}
      {chosen && (
        <ReleaseDialog
          hold={chosen}
          isLarge={fenOf(chosen.amount) > fenOf(first.secondPerson)}
          onDone={() => {
            setChosen(null);
            void revalidate();
          }}
          onClose={() => setChosen(null)}
        />
      )}
    </>
  );
}
