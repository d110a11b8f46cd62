import { isCancelled } from '#subjects/orders/rules/order-status.ts';
import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { staffOrderDetail, staffOrderStep } from '#subjects/orders/contract/staff-orders.ts';
import type { Data } from '#contract/endpoint.ts';
import { staffLabel, turnLabel } from '../rules/order-text.ts';
import { sellerNoun } from '../rules/order-types.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { type Evidence, EvidenceBox } from '../web/parts/order/evidence-box.tsx';
import { FeeLines } from '../web/parts/money/fee-lines.tsx';
import { GoodsSummary } from '../web/parts/order/goods-line.tsx';
import { MoneyCard } from '../web/parts/money/money-card.tsx';
import { OrderSteps } from '../web/parts/order/order-steps.tsx';
import { ProcessList } from '../web/parts/handover/process-list.tsx';
import { fullAt } from '#web/lib/format/times.ts';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Chip, Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { ChatPanel } from './order/chat-panel.tsx';
import { Contacts } from './order/contacts.tsx';
import { evidenceErrors, evidenceKeys, uploadStaffEvidence } from './order/evidence.ts';
import { AdminHandover } from './order/handover.tsx';
import { BackHead } from '#subjects/back-office/staff/parts/back-head.tsx';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';
import { DeadlineClock } from '#subjects/back-office/staff/parts/deadline-clock.tsx';
import { UserLink } from '#subjects/back-office/staff/parts/user-link.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '订单详情', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { call: request, staff } = market(args);
  const order = await request(staffOrderDetail, { orderSn: args.params.sn ?? '' });
  return {
    order,
    staffId: staff?.staffId ?? 0,
    isAdmin: staffCan(staff, 'chat.supervise'),
    now: new Date().toISOString(),
  };
}

type Order = Data<typeof staffOrderDetail>;
type OrderAction = Order['acts'][number];

/** Label of an action when staff performs it. */
const actionLabel = ({ tradedTypeId }: Order, action: OrderAction): string =>
  action.act === 'ship' ? `代${sellerNoun(tradedTypeId)}确认发货` : action.label;

const DONE: Readonly<Record<string, string>> = { ship: '已代为发货', staffClose: '订单已关闭，货款退回买家' };
const REASONS: Readonly<Record<string, readonly string[]>> = {
  ship: ['卖家已在群内交付', '平台已代为交付'],
  staffClose: ['卖家无法交付', '商品与描述不符', '买卖双方协商取消'],
};

/** A colleague's pending request for the same action, which the caller decides on. */
function colleaguesRequest(order: Order, action: OrderAction) {
  const { secondAsked } = order;
  return secondAsked !== null && !secondAsked.isMine && secondAsked.act === action.act ? secondAsked : null;
}

function Question({ order, action }: { order: Order; action: OrderAction }) {
  const request = colleaguesRequest(order, action);
  return (
    <div className="grid gap-2">
      {action.act === 'staffClose' ? (
        <p>
          实付 <Amount yuan={order.totalPrice} className="font-semibold" />{' '}
          会全额退还买家，不能撤回。密封信息被查看过的商品会转为下架，卖家修改密码后才能重新上架。
        </p>
      ) : (
        <p>{action.confirm ?? '请确认商品已经交付给买家。'}发货后开始计算买家的验收期。</p>
      )}
      {request && (
        <>
          <p>
            {request.by}申请原因：{request.reason}。由您复核后生效。
          </p>
          <p className="flex flex-wrap gap-1.5">
            {request.pictures.map(({ url, thumb }, i) => (
              <a key={url} href={url} target="_blank" rel="noreferrer">
                <img
                  src={thumb}
                  width={72}
                  height={52}
                  alt={`凭证 ${i + 1}`}
                  className="h-13 w-18 rounded-tag object-cover"
                />
              </a>
            ))}
          </p>
        </>
      )}
    </div>
  );
}

function ActionDialog({ order, action, onClose }: { order: Order; action: OrderAction; onClose: () => void }) {
  const { revalidate } = useRevalidator();
  const [pictures, setPictures] = useState<readonly Evidence[]>([]);
  const isSecond = colleaguesRequest(order, action) !== null;
  return (
    <ReasonDialog
      title={isSecond ? `复核${actionLabel(order, action)}` : actionLabel(order, action)}
      action={isSecond ? '复核通过' : actionLabel(order, action)}
      danger={action.act === 'staffClose'}
      question={<Question order={order} action={action} />}
      reasons={REASONS[action.act] ?? []}
      reasonLabel="原因"
      isReasonNeeded
      fields={['pictures']}
      check={() => evidenceErrors(pictures, !isSecond)}
      send={async (reason) => {
        const { waits: isPending } = await call(
          staffOrderStep,
          {
            orderId: order.id,
            act: action.act as 'ship' | 'staffClose',
            reason,
            pictures: evidenceKeys(pictures),
          },
          { quiet: true },
        );
        toast(isPending ? '已提交，等待另一位同事复核' : (DONE[action.act] ?? '已完成'), 'ok');
      }}
      onDone={() => {
        onClose();
        void revalidate();
      }}
      onClose={onClose}
    >
      {(errors) =>
        !isSecond && (
          <EvidenceBox
            pictures={pictures}
            help="上传沟通记录或交付截图，PNG 或 JPEG，每张不超过 10M；留在订单记录里。"
            error={errors.pictures}
            upload={uploadStaffEvidence}
            onChange={setPictures}
          />
        )
      }
    </ReasonDialog>
  );
}

function Person({ role, name, id, union }: { role: string; name: string; id: string; union: string }) {
  return (
    <span className="inline-flex items-baseline gap-1.5">
      <span className="text-ink-3">{role}</span>
      <UserLink id={id} className="text-ink">
        {name}
      </UserLink>
      <span className="text-12 text-ink-3">{union}</span>
    </span>
  );
}

/** Staff act on orders assigned to them; a colleague's request is decided by anyone else. */
function canRun(order: Order, action: OrderAction): boolean {
  if (!action.enabled) return false;
  if (order.secondAsked) return colleaguesRequest(order, action) !== null;
  return order.isAssigned;
}

/** Why an action is closed to the caller; null when it can be clicked. */
function whyClosed(order: Order, action: OrderAction): string | null {
  if (canRun(order, action)) return null;
  if (!action.enabled) return action.reason;
  if (order.secondAsked) return '有申请待复核';
  return order.staffName
    ? `由${staffLabel(order.staffName)}负责，其他客服不能操作；需要换人请管理员在交易群接管`
    : '先在交易群接手，再操作';
}

/** What staff can do about the order; a closed action stays visible with its reason. */
function Actions({ order, onAction }: { order: Order; onAction: (action: OrderAction) => void }) {
  if (order.acts.length === 0) return null;
  const reasons = order.acts.map((action) => whyClosed(order, action));
  const isSame = reasons.every((reason) => reason === reasons[0]);
  return (
    <ul className="flex flex-wrap items-center gap-x-5 gap-y-2 border-t border-line-soft px-4 py-2.5 text-12 text-ink-3">
      {order.acts.map((action, i) => (
        <li key={action.act} className="flex flex-wrap items-center gap-2">
          <Button
            size="sm"
            kind={action.act === 'staffClose' ? 'danger' : action.primary ? 'primary' : 'plain'}
            disabled={!canRun(order, action)}
            onClick={() => onAction(action)}
          >
            {actionLabel(order, action)}
          </Button>
          {!isSame && reasons[i]}
        </li>
      ))}
      {isSame && reasons[0] && <li>{reasons[0]}</li>}
    </ul>
  );
}

/** The deadline of the step that is due, as a clock; a dispute stops it. */
function DueClock({ order }: { order: Order }) {
  if (order.disputed) return <Tag tone="danger">计时已停</Tag>;
  const end = order.handover.find(({ state }) => state === 'current')?.dueTime ?? order.deadline;
  if (!end) return null;
  const from = order.payTime ?? order.createTime;
  const limitSeconds = Math.max(60, (Date.parse(end) - Date.parse(from)) / 1000);
  return <DeadlineClock until={end} limitSeconds={limitSeconds} className="text-14 font-semibold" />;
}

function Head({ order, onAction }: { order: Order; onAction: (action: OrderAction) => void }) {
  const reader = order.isAssigned ? 'staff' : 'onlooker';
  const { due } = order;
  return (
    <section className="panel" aria-label="订单状态">
      <div className="grid gap-1 border-b border-line-soft px-4 py-3">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <h1 className="text-20 font-semibold">{due.title}</h1>
          {due.turn && (
            <Tag {...(due.turn === 'staff' && { tone: 'attn' as const })}>
              {turnLabel(due.turn, reader, order.tradedTypeId)}
            </Tag>
          )}
          {order.disputed && isCancelled(order.status) && <Tag tone="danger">申诉中</Tag>}
          {order.secondAsked && (
            <Tag tone="attn">
              {order.secondAsked.by}申请{order.secondAsked.act === 'ship' ? '代为确认发货' : '退款'}，待复核
            </Tag>
          )}
          {order.stoppedTime && <Tag tone="danger">自动确认已停止，等必做步骤</Tag>}
          {order.cancelAsked && <Tag tone="attn">买家申请取消</Tag>}
          <span className="ml-auto">
            <DueClock order={order} />
          </span>
        </div>
        <p className="text-12 text-ink-2">
          {order.statusName}
          {order.deadline && `，${fullAt(order.deadline)} ${order.deadlineText}`}
        </p>
      </div>
      <div className="px-4 pt-4 pb-3">
        <OrderSteps steps={order.steps} />
      </div>
      <p className="flex flex-wrap gap-x-5 gap-y-1 border-t border-line-soft px-4 py-2 text-13">
        <Person role="买家" name={order.buyerName} id={order.buyerId} union={order.buyerUnion} />
        <Person
          role={sellerNoun(order.tradedTypeId)}
          name={order.sellerName}
          id={order.sellerId}
          union={order.sellerUnion}
        />
        <span className="text-ink-3">{order.staffName ? staffLabel(order.staffName) : '客服未分配'}</span>
        <span className="text-ink-3">{order.distName}</span>
      </p>
      <Actions order={order} onAction={onAction} />
    </section>
  );
}

function Goods({ order }: { order: Order }) {
  return (
    <section className="panel" aria-label="商品存档">
      <div className="grid gap-3 p-4">
        <GoodsSummary
          title={order.bigTitle}
          gameName={order.gameName}
          typeId={order.orderTypeId}
          typeName={order.orderTypeName}
          thumbnail={order.thumbnail}
          seed={order.goodsSn ?? order.orderSn}
        >
          <p className="flex flex-wrap gap-x-4 text-12 text-ink-3">
            {order.goodsSn && <CopyButton text={order.goodsSn} label="商品编号" />}
            {order.areaText && <span>{order.areaText}</span>}
            <span>数量 {order.goodsNum}</span>
          </p>
        </GoodsSummary>
        {order.attrs.length > 0 && (
          <div className="chips-whole">
            {order.attrs.map(({ label, value }) => (
              <Chip key={label} name={label}>
                {value}
              </Chip>
            ))}
          </div>
        )}
      </div>
    </section>
  );
}

function Fees({ order }: { order: Order }) {
  const { sellerGets, commission } = order.money;
  const seller = sellerNoun(order.tradedTypeId);
  return (
    <section className="panel [--price-big:var(--ink)] [--price:var(--ink)]" aria-label="费用明细">
      <div className="panel-head">
        <h2>费用明细</h2>
      </div>
      <FeeLines
        lines={order.lines}
        total={order.totalPrice}
        totalLabel={order.payTime ? '买家实付' : '买家应付'}
        rules="folded"
        className="px-4 py-3"
      />
      {sellerGets !== null && (
        <dl className="border-t border-line-soft px-4 py-3 text-13 text-ink-2">
          <div className="flex justify-between">
            <dt>{seller}佣金</dt>
            <dd>
              <Amount yuan={commission ?? '0.00'} sign="-" />
            </dd>
          </div>
          <div className="mt-1 flex justify-between font-semibold text-ink">
            <dt>{seller}到手</dt>
            <dd>
              <Amount yuan={sellerGets} />
            </dd>
          </div>
        </dl>
      )}
    </section>
  );
}

/** One order for staff: state, goods, hand-over, money and record at the left, the conversation on the right. */
export default function AdminOrderPage() {
  const { order, staffId, isAdmin, now } = useLoaderData<typeof loader>();
  const [action, setAction] = useState<OrderAction | null>(null);
  return (
    <>
      <BackHead to="/backstage/orders" name="订单">
        <CopyButton text={order.orderSn} label="订单编号" className="font-semibold" />
        <span className="text-12 text-ink-3">{fullAt(order.createTime)} 下单</span>
      </BackHead>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_400px]">
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
          <Head order={order} onAction={setAction} />
          <Goods order={order} />
          <AdminHandover order={order} />
          <MoneyCard money={order.money} now={now} />
          <div className="grid items-start gap-4 xl:grid-cols-2">
            <Fees order={order} />
            <section className="panel" aria-label="状态记录">
              <div className="panel-head">
                <h2>状态记录</h2>
              </div>
              <ProcessList entries={order.process} />
            </section>
          </div>
          {(isAdmin || order.staffId === staffId) && order.canAct && <Contacts orderId={order.id} />}
        </div>
        <ChatPanel
          groupId={order.groupId}
          staffId={staffId}
          assigned={order.staffId}
          assignedName={order.staffName}
          canRead={isAdmin || order.staffId === staffId}
          canAct={order.canAct}
        />
      </div>
      {action && <ActionDialog order={order} action={action} onClose={() => setAction(null)} />}
    </>
  );
}
