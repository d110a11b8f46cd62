import { Link } from 'react-router';
import { staffBoostingDeposits, type staffBoostingInfo } from '#subjects/services/contract/staff-boosting.ts';
import type { Data } from '#contract/endpoint.ts';
import { textsOf } from '#web/lib/forms/form-values.ts';
import { shortAt } from '#web/lib/format/times.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Pictures } from '../../web/parts/service/pictures.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Select, Textarea } from '#web/ui/forms/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';

type Order = Data<typeof staffBoostingInfo>;

const STAGE_NAMES = { pending: '未开始', submitted: '待确认', accepted: '已确认', refused: '已退回' } as const;
const SIDES = { buyer: '归买家', booster: '退回打手' } as const;

function Deposits({ order }: { order: Order }) {
  const { form, errors, busy, submit } = useMutation(staffBoostingDeposits, {
    fields: ['safety', 'efficiency', 'reason'],
    check: ({ reason }) => ({ reason: String(reason).length < 5 ? '请写明理由，至少 5 个字' : undefined }),
    revalidates: true,
    done: ({ waits }) => toast(waits ? '已提交，另一位同事提交相同决定后生效' : '已记录，裁决结束订单时生效', 'ok'),
  });
  const { decided, draft, safety, efficiency } = order.deposits;
  return (
    <div className="grid gap-3 border-t border-line-soft px-4 py-3">
      <p className="text-13">
        安全保证金 {safety} 元，效率保证金 {efficiency} 元，冻结中。
        {decided && (
          <b className="ml-1 font-semibold">
            本次裁决：安全{SIDES[decided.safety]}，效率{SIDES[decided.efficiency]}
          </b>
        )}
      </p>
      {draft && (
        <p className="rounded-control border border-attn-line bg-attn-bg px-3 py-2 text-13 text-attn">
          {draft.isMine ? '您' : draft.by}提议：安全{SIDES[draft.safety]}，效率{SIDES[draft.efficiency]}。{draft.reason}
          {draft.isMine
            ? '（等另一位同事提交相同决定；您提交不同的决定会替换这一份）'
            : '（核对后提交相同决定即生效，不同则以您的提议重新等待复核）'}
        </p>
      )}
      {order.canDecide && (
        <form
          ref={form}
          noValidate
          className="grid gap-3 md:grid-cols-[10rem_10rem_minmax(0,1fr)_auto] md:items-start"
          onSubmit={submit((element) => {
            const text = textsOf(element);
            return {
              orderSn: order.orderSn,
              safety: text('safety') as 'buyer',
              efficiency: text('efficiency') as 'buyer',
              reason: text('reason'),
            };
          })}
        >
          {(
            [
              ['safety', '安全保证金'],
              ['efficiency', '效率保证金'],
            ] as const
          ).map(([name, label]) => (
            <Field key={name} label={label} required error={errors[name]}>
              {(control) => (
                <Select {...control} name={name} defaultValue={(draft ?? decided)?.[name] ?? 'booster'}>
                  <option value="booster">退回打手</option>
                  <option value="buyer">归买家</option>
                </Select>
              )}
            </Field>
          ))}
          <Field label="理由（双方可见）" required error={errors.reason}>
            {(control) => <Textarea {...control} name="reason" rows={1} maxLength={200} />}
          </Field>
          <Button type="submit" busy={busy} className="md:mt-6.5">
            记录
          </Button>
          <FormError>{errors.send}</FormError>
        </form>
      )}
      {order.dispute && (
        <p className="text-12 text-ink-3">只在这次申诉的裁决结束订单时生效；和解、撤回或继续交易，按原约定退回。</p>
      )}
    </div>
  );
}

const SHARES = [
  ['back', '裁决退回商品价'],
  ['buyer', '买家共得'],
  ['provider', '打手共得'],
  ['paid', '其中已付'],
  ['fee', '平台费用'],
] as const;

function Splits({ order }: { order: Order }) {
  if (order.splits.length === 0) return null;
  return (
    <>
      <h3 className="border-t border-line-soft px-4 pt-3 text-13 font-medium">按进度结算（双方看到的同一张表）</h3>
      <AdminTable columns={['原因', ...SHARES.map(([, num]) => ({ num })), '效率保证金']}>
        {order.splits.map((s) => (
          <tr key={s.reason}>
            <td data-wide="">{s.reasonName}</td>
            {SHARES.map(([key, name]) => (
              <td key={key} className="num" data-label={name}>
                <Amount yuan={s[key]} />
              </td>
            ))}
            <td data-label="效率保证金">{s.efficiencyToBuyer ? '归买家' : '退回打手'}</td>
          </tr>
        ))}
      </AdminTable>
    </>
  );
}

function Stages({ order }: { order: Order }) {
  return (
    <ol aria-label="分段">
      {order.milestones.map((m) => (
        <li
          key={m.seq}
          className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line-soft px-4 py-2.5 text-13"
        >
          <span className="min-w-0 flex-1">
            {m.seq}. {m.title}
            <small className="ml-2 text-12 text-ink-3">
              {m.state === 'pending' && m.progressPercent > 0 ? '进行中' : STAGE_NAMES[m.state]}
              {m.state === 'pending' && m.progressPercent > 0 && ` ${m.progressPercent}%`}
              {m.refusedNum > 0 && `，退回 ${m.refusedNum} 次`}
              {m.note && `，${m.note}`}
            </small>
          </span>
          <Pictures pictures={m.pictures} name={`第 ${m.seq} 段截图`} />
          <Amount yuan={m.amount} />
        </li>
      ))}
    </ol>
  );
}

/**
 * One order of boosting for staff: its state, the split of a cancellation, and who gets the deposits after a ruling.
 */
export function OrderPanel({ order }: { order: Order }) {
  return (
    <section className="panel" aria-labelledby="boosting-order">
      <div className="panel-head flex-wrap">
        <h2 id="boosting-order">{order.title || order.orderSn}</h2>
        <Tag {...(order.state === 'done' && { tone: 'safe' as const })}>{order.stateName}</Tag>
        {order.isLate && <Tag tone="attn">超时</Tag>}
        <span className="ml-auto flex flex-wrap gap-2">
          {order.dispute && (
            <ButtonLink size="sm" kind="primary" to={`/backstage/disputes/${order.dispute.disputeSn}`}>
              {order.dispute.statusName}，去案卷
            </ButtonLink>
          )}
          <ButtonLink size="sm" to={`/backstage/orders/${order.orderSn}`}>
            查看订单
          </ButtonLink>
        </span>
      </div>
      <p className="px-4 pb-3 text-13 text-ink-2">
        <Link className="link" to={`/backstage/orders/${order.orderSn}`}>
          {order.orderSn}
        </Link>
        ，买家 {order.buyerName}，打手 {order.boosterName}，{order.modeName}，{order.area}；商品价 {order.price}{' '}
        元，托管 {order.held} 元，已付打手 {order.paid} 元{order.dueTime && `；约定 ${shortAt(order.dueTime)} 前`}
        {order.accountTime && `；等买家提交账号到 ${shortAt(order.accountTime)}，未提交则自动全额退款`}
        {order.late &&
          `；双方到 ${shortAt(order.late.by)} 都没有操作，${order.late.isJudged ? '自动转客服裁决' : '未确认的货款自动退回买家'}`}
        {order.pausedMinutes > 0 && `，暂停过 ${order.pausedMinutes} 分钟`}
      </p>
      {order.ban && (
        <p className="mx-4 mb-3 rounded-control border border-attn-line bg-attn-bg px-3 py-2 text-13 text-attn">
          {shortAt(order.ban.time)} {order.ban.by === 'buyer' ? '买家' : '打手'}上报账号被处罚
        </p>
      )}
      <Stages order={order} />
      <Splits order={order} />
      <Deposits order={order} />
      {(order.events.length > 0 || order.cancels.length > 0) && (
        <ul className="grid gap-1 border-t border-line-soft px-4 py-3 text-12 text-ink-2" aria-label="经过">
          {order.cancels.map((k) => (
            <li key={`cancel-${k.time}`}>
              {shortAt(k.time)} {k.by}申请取消（{k.reason}）：{k.status}
            </li>
          ))}
          {order.events.map((e) => (
            <li key={`${e.time}${e.text}`}>
              {shortAt(e.time)} {e.who} {e.kind}：{e.text}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
