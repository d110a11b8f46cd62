import { Lock } from 'lucide-react';
import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator, useSearchParams } from 'react-router';
import { releaseHoldEarly, releaseHolds, staffHoldList } from '#subjects/ledger/contract/staff-ledger.ts';
import { holdList, type StaffHold } from '#subjects/ledger/contract/list-holds.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Textarea } from '#web/ui/forms/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import type { BulkAction } from '#subjects/back-office/staff/list/bulk.tsx';
import { ListClock } from '#subjects/back-office/staff/list/list-clock.tsx';
import { loadList, rowsOf } from '#subjects/back-office/staff/list/list-loader.ts';
import { ListPage } from '#subjects/back-office/staff/list/list-page.tsx';
import type { CellViews } from '#subjects/back-office/staff/list/table.tsx';
import { OtherPerson } from '#subjects/back-office/staff/parts/other-person.tsx';
import { FreezeDialog } from '#subjects/back-office/staff/parts/dialogs/freeze-dialog.tsx';
import { HoldDrawer } from './hold/hold-drawer.tsx';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';

export { shouldRevalidate } from '#subjects/back-office/staff/list/list-loader.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '冻结款', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { staff } = market(args);
  return {
    ...(await loadList(args, holdList, staffHoldList)),
    canRelease: staffCan(staff, 'hold.release'),
    canFreeze: staffCan(staff, 'money.freeze'),
  };
}

const VIEWS = [
  { name: '快到期', query: 'due=1&sort=releaseTime' },
  { name: '待同事复核', query: 'second=1' },
  { name: '平台冻结', query: 'code=staff_freeze' },
] as const;

const read = rowsOf(staffHoldList);

const cells: CellViews<StaffHold> = {
  nickName: (h) => <b className="font-medium">{h.nickName}</b>,
  amount: (h) => <Amount yuan={h.amount} className="font-semibold" />,
  codeName: (h) => (
    <span className="list-wrap">
      {h.codeName}
      {h.disputed && (
        <Tag tone="danger" className="ml-1.5">
          申诉中
        </Tag>
      )}
      <span className="block truncate text-12 text-ink-3" title={h.reason}>
        {h.reason}
      </span>
    </span>
  ),
  releaseTime: (h) => h.releaseTime && <ListClock end={h.releaseTime} from={h.createTime} />,
};

function Card({ hold }: { hold: StaffHold }) {
  return (
    <>
      <span className="flex items-baseline gap-2">
        <b className="font-medium">{hold.nickName}</b>
        <span className="text-12 text-ink-3">{hold.codeName}</span>
        <Amount yuan={hold.amount} className="ml-auto font-semibold" />
      </span>
      <span className="flex items-center gap-2 text-12 text-ink-3">
        <span className="line-clamp-1">{hold.orderSn ?? hold.reason}</span>
        <span className="ml-auto flex-none">
          {hold.releaseTime && <ListClock end={hold.releaseTime} from={hold.createTime} />}
        </span>
      </span>
    </>
  );
}

function Release({ hold, onRelease }: { hold: StaffHold; onRelease: (hold: StaffHold) => void }) {
  return (
    <>
      {hold.askedBy && (
        <span className="mr-2 text-12 text-attn" title={hold.askedReason ?? undefined}>
          {hold.askedBy}申请解冻
        </span>
      )}
      {hold.canRelease && (
        <Button size="sm" disabled={hold.isMine} onClick={() => onRelease(hold)}>
          {hold.askedBy ? '复核解冻' : hold.code === 'staff_freeze' ? '解除冻结' : '提前解冻'}
        </Button>
      )}
      {hold.canRelease && <OtherPerson isMine={hold.isMine} label="您已申请" />}
    </>
  );
}

/** Several holds in one request; the second factor is required as for a single one. */
const releaseActions: readonly BulkAction<StaffHold>[] = [
  {
    key: 'release',
    name: '提前解冻',
    fits: ({ canRelease, isMine }) => canRelease && !isMine,
    otherwise: '不能由员工解冻',
    question: '解冻后立即转入用户可用余额，不能撤回。金额较大或买家没有亲自确认收货的只会提交申请，等另一位同事复核。',
    form: (
      <Field label="解冻原因" required>
        {(control) => <Textarea {...control} name="reason" rows={3} maxLength={200} required />}
      </Field>
    ),
    run: (ids, field) => call(releaseHolds, { holdIds: ids.map(Number), reason: field('reason') }, { quiet: true }),
  },
];

function ReleaseDialog({ hold, onDone, onClose }: { hold: StaffHold; onDone: () => void; onClose: () => void }) {
  const name = hold.askedBy ? '复核解冻' : hold.code === 'staff_freeze' ? '解除冻结' : '提前解冻';
  return (
    <ReasonDialog
      title={name}
      action={name}
      question={
        <>
          {hold.nickName} 的 <Amount yuan={hold.amount} className="font-semibold" />（{hold.codeName}）
          {hold.askedBy && `，${hold.askedBy}申请原因：${hold.askedReason ?? ''}`}。
          {hold.needsSecond && !hold.askedBy
            ? '金额较大或买家没有亲自确认收货，提交后需另一位同事复核。'
            : '解冻后立即转入用户可用余额，不能撤回。'}
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
  const { canRelease, canFreeze, ...data } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const keyWord = useSearchParams()[0].get('keyWord');
  const [chosen, setChosen] = useState<StaffHold | null>(null);
  const [freezing, setFreezing] = useState(false);
  return (
    <>
      <ListPage
        list={holdList}
        data={data}
        load={read}
        builtIn={VIEWS}
        views={cells}
        card={(hold) => <Card hold={hold} />}
        sumOf={({ amount }) => amount}
        deadlineOf={({ releaseTime }) => releaseTime}
        bulkActions={canRelease ? releaseActions : []}
        actions={canRelease ? (hold: StaffHold) => <Release hold={hold} onRelease={setChosen} /> : undefined}
        drawer={(hold, controls) => (
          <HoldDrawer row={hold} controls={controls}>
            {canRelease && <Release hold={hold} onRelease={setChosen} />}
          </HoldDrawer>
        )}
        head={
          canFreeze && (
            <Button size="sm" onClick={() => setFreezing(true)}>
              <Lock className="icon" aria-hidden="true" />
              冻结用户资金
            </Button>
          )
        }
        empty={
          keyWord === null
            ? '订单完成后的保护期、处理中的提现会在这里列出。'
            : '没有找到这笔冻结款，可能已解冻；请核对编号是否完整。'
        }
      />
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
