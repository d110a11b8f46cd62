import { grouped } from '#web/lib/format/format.ts';
import { useState } from 'react';
import { Link } from 'react-router';
import { boostAddition, boostBan } from '#subjects/services/contract/boosting.ts';
import { amountError } from '#contract/rules/amounts.ts';
import { call } from '#web/lib/api/api.ts';
import { textsOf } from '#web/lib/forms/form-values.ts';
import { withStepUp } from '#web/lib/session/step-up.ts';
import { shortAt } from '#web/lib/format/times.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { type Evidence, EvidenceBox } from '#subjects/orders/web/parts/order/evidence-box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Countdown } from '#web/ui/countdown.tsx';
import { BackButton, Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input, Textarea } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import type { ServiceOrder } from './service-order.ts';

type BoostingDetails = NonNullable<ServiceOrder['way']>;
type Answer = 'agree' | 'decline' | 'withdraw' | 'pay';

const MINUTES = 60;

/** The text for an addition. */
function additionText({ price, minutes }: { price: string; minutes: number }): string {
  const parts = [
    ...(Number(price) > 0 ? [`加价 ${grouped(price)} 元`] : []),
    ...(minutes > 0 ? [`加时 ${Math.round(minutes / 6) / 10} 小时`] : []),
  ];
  return parts.join('，');
}

/** Requests more money or time from the other party. */
function AskDialog({ service, onClose }: { service: ServiceOrder; onClose: () => void }) {
  const { form, errors, busy, submit } = useMutation(boostAddition, {
    fields: ['price', 'minutes', 'reason'],
    check: ({ price, minutes, reason }) => ({
      price: String(price) !== '0' && amountError(String(price)) !== null ? '应为数字，最多两位小数' : undefined,
      minutes: Number.isNaN(Number(minutes)) || Number(minutes) < 0 ? '应为小时数，如 2 或 1.5' : undefined,
      reason: String(reason).length < 2 ? '请写明加价或加时做什么' : undefined,
    }),
    revalidates: true,
    done: () => {
      toast('已提出，等对方同意', 'ok');
      onClose();
    },
  });
  return (
    <Dialog
      title="加价或加时"
      onClose={onClose}
      closeOnBackdrop={false}
      footer={
        <>
          <BackButton>返回</BackButton>
          <Button type="submit" form="addition" kind="primary" busy={busy}>
            提出
          </Button>
        </>
      }
    >
      <form
        id="addition"
        ref={form}
        noValidate
        className="grid gap-4"
        onSubmit={submit((element) => {
          const text = textsOf(element);
          return {
            orderId: String(service.orderId),
            act: 'ask' as const,
            price: text('price') || '0',
            minutes: String(Math.round(Number(text('hours') || '0') * MINUTES)),
            reason: text('reason'),
          };
        })}
      >
        <div className="grid grid-cols-2 gap-4">
          <Field label="加价（元）" error={errors.price} help="由买家付，生成追加订单。">
            {(control) => <Input {...control} name="price" inputMode="decimal" maxLength={9} />}
          </Field>
          <Field label="加时（小时）" error={errors.minutes} help="顺延约定时间。">
            {(control) => <Input {...control} name="hours" inputMode="decimal" maxLength={5} />}
          </Field>
        </div>
        <Field label="做什么" required error={errors.reason}>
          {(control) => <Textarea {...control} name="reason" rows={2} maxLength={100} placeholder="如 再打到十星" />}
        </Field>
        <FormError>{errors.send}</FormError>
      </form>
    </Dialog>
  );
}

/** Reports a punished account: the case is opened immediately. */
function BanDialog({ service, onClose }: { service: ServiceOrder; onClose: () => void }) {
  const [pictures, setPictures] = useState<readonly Evidence[]>([]);
  const { form, errors, busy, submit } = useMutation(boostBan, {
    fields: ['punishment', 'text', 'pictures'],
    check: ({ punishment, text }) => ({
      punishment: String(punishment).length < 2 ? '请写明处罚内容' : undefined,
      text: String(text).length < 5 ? '请写明经过，至少 5 个字' : undefined,
      pictures: pictures.length === 0 ? '请上传处罚通知的截图' : undefined,
    }),
    revalidates: true,
    done: () => {
      toast('已上报，客服会尽快处理', 'ok');
      onClose();
    },
  });
  return (
    <Dialog
      title="上报账号被处罚"
      onClose={onClose}
      closeOnBackdrop={false}
      footer={
        <>
          <BackButton>返回</BackButton>
          <Button type="submit" form="ban" kind="danger" busy={busy}>
            上报并申诉
          </Button>
        </>
      }
    >
      <form
        id="ban"
        ref={form}
        noValidate
        className="grid gap-4"
        onSubmit={submit((element) => {
          const text = textsOf(element);
          return {
            orderId: String(service.orderId),
            punishment: text('punishment'),
            text: text('text'),
            pictures: pictures.map(({ key }) => key),
          };
        })}
      >
        <p className="text-13 text-attn">提交后计时停止、账号资料关闭，两笔保证金冻结到结案，由客服按公示规则裁决。</p>
        <Field label="处罚内容" required error={errors.punishment}>
          {(control) => <Input {...control} name="punishment" maxLength={200} placeholder="如 封号 7 天" />}
        </Field>
        <Field label="经过" required error={errors.text}>
          {(control) => <Textarea {...control} name="text" rows={3} maxLength={1000} />}
        </Field>
        <EvidenceBox
          pictures={pictures}
          error={errors.pictures}
          help="处罚通知的完整截图，双方与客服可见。"
          onChange={setPictures}
        />
        <FormError>{errors.send}</FormError>
      </form>
    </Dialog>
  );
}

const ANSWERS: readonly (readonly [Answer, string])[] = [
  ['pay', '付款'],
  ['agree', '同意'],
  ['decline', '不同意'],
  ['withdraw', '撤回'],
];

function Addition({ service, way }: { service: ServiceOrder; way: BoostingDetails }) {
  const isBuyer = service.viewer === 'buyer';
  const { busy, send } = useMutation(
    ({ act: action }: { act: Answer }, options) =>
      withStepUp(
        'pay',
        () => call(boostAddition, { orderId: String(service.orderId), act: action }, options),
        isBuyer && (action === 'pay' || (action === 'agree' && Number(way.addition?.price) > 0)),
      ),
    { toasts: true, revalidates: 'always', done: () => toast('已处理', 'ok') },
  );
  const { addition } = way;
  if (!addition) return null;
  const own = addition.askedBy === service.viewer;
  const state =
    addition.status === 'agreed'
      ? isBuyer
        ? '对方已同意，付款后生效'
        : '等买家付款'
      : own
        ? '等对方同意'
        : '请您答复';
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-control border border-attn-line bg-attn-bg px-3 py-2 text-13">
      <p className="min-w-0 flex-1 max-md:basis-full">
        <b className="font-semibold">{additionText(addition)}</b>：{addition.reason}
        <span className="ml-2 text-12 text-ink-3">{state}</span>
      </p>
      {ANSWERS.filter(([action]) => way.acts.includes(action)).map(([action, label]) => (
        <Button
          key={action}
          size="sm"
          busy={busy}
          {...((action === 'pay' || action === 'agree') && { kind: 'primary' as const })}
          onClick={() => void send({ act: action })}
        >
          {action === 'agree' && isBuyer && Number(addition.price) > 0
            ? `同意并付 ${grouped(addition.price)} 元`
            : label}
        </Button>
      ))}
    </div>
  );
}

/** The actions during a boosting order: the next picture, more money or time, a reported ban. */
export default function BoostingBox({
  service,
  way,
  now,
}: {
  service: ServiceOrder;
  way: BoostingDetails;
  now: string;
}) {
  const [openDialog, ask] = useState<'addition' | 'ban' | null>(null);
  const close = () => ask(null);
  return (
    <div className="grid gap-2 border-t border-line-soft px-4 py-3">
      {way.parentSn && (
        <p className="text-13 text-ink-2">
          这是
          <Link to={`/center/buyOrderDetail?orderSn=${way.parentSn}`} className="link">
            订单 {way.parentSn}
          </Link>
          的追加订单。
        </p>
      )}
      {way.ban && (
        <p className="text-13 text-attn">
          {shortAt(way.ban.time)} {way.ban.by === 'buyer' ? '买家' : '打手'}上报账号被处罚，保证金冻结到结案。
        </p>
      )}
      {way.proofDue && (
        <p className="text-12 text-ink-3">
          下一张进度截图 <Countdown until={way.proofDue} now={now} /> 内上传，逾时提醒打手；暂停不计。
        </p>
      )}
      {way.added.map((one) => (
        <p key={one.orderSn} className="text-13 text-ink-2">
          已追加 {grouped(one.price)} 元：{one.reason}，
          <Link to={`/center/buyOrderDetail?orderSn=${one.orderSn}`} className="link">
            查看追加订单
          </Link>
        </p>
      ))}
      <Addition service={service} way={way} />
      {(way.acts.includes('ask') || way.acts.includes('reportBan')) && (
        <div className="flex flex-wrap gap-2">
          {way.acts.includes('ask') && (
            <Button size="sm" onClick={() => ask('addition')}>
              加价或加时
            </Button>
          )}
          {way.acts.includes('reportBan') && (
            <Button size="sm" onClick={() => ask('ban')}>
              账号被处罚
            </Button>
          )}
        </div>
      )}
      {openDialog === 'addition' && <AskDialog service={service} onClose={close} />}
      {openDialog === 'ban' && <BanDialog service={service} onClose={close} />}
    </div>
  );
}
