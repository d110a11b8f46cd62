import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { type FormEvent, useCallback, useState } from 'react';
import { Link, useLoaderData, useRevalidator } from 'react-router';
import { pageMeta } from '#web/lib/pages/site.ts';
import { FeeLines } from '#subjects/orders/web/parts/money/fee-lines.tsx';
import { GoodsSummary } from '#subjects/orders/web/parts/order/goods-line.tsx';
import { AlreadyPaid } from '#subjects/middleman/web/parts/already-paid.tsx';
import { orderPath } from '#subjects/orders/web/parts/order/order-links.ts';
import { PayCode } from './parts/pay/pay-code.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Countdown } from '#web/ui/countdown.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Amount, Price } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { channelPart, firstChoice, isCodeAtOnce, type PayChoice, refundText, takesBalance } from './pay-choice.ts';
import type { PayData, loader as payLoader } from './pay-loader.ts';
import { PayMethods } from './pay-methods.tsx';
import { usePay } from './use-pay.ts';

export { loader } from './pay-loader.ts';

export const handle = { phone: { back: true, ownBar: true, isShort: true } };

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '支付订单', noindex: true });
}

/** Amount, subject, and how long the listing stays reserved. */
function Head({ data }: { data: PayData }) {
  const { order, now } = data;
  const { revalidate } = useRevalidator();
  const onEnd = useCallback(() => void revalidate(), [revalidate]);
  return (
    <>
      <div className="grid justify-items-center gap-1 px-4 pt-6 pb-4 text-center">
        <h1 className="text-13 text-ink-2">应付金额</h1>
        <Price yuan={order.totalPrice} size="xl" />
        {order.payExpireTime && (
          <p className="text-13 text-ink-2">
            请在 <Countdown until={order.payExpireTime} now={now} onEnd={onEnd} /> 内付款，超时订单自动取消
          </p>
        )}
      </div>
      <Goods data={data} />
    </>
  );
}

/** The item being paid for; it stays visible while the code is scanned. */
function Goods({ data: { order } }: { data: PayData }) {
  return (
    <div className="border-t border-line-soft px-4 py-3.5">
      <GoodsSummary
        title={order.bigTitle}
        gameName={order.gameName}
        typeId={order.orderTypeId}
        typeName={order.orderTypeName}
        thumbnail={order.thumbnail}
        seed={order.goodsSn ?? order.orderSn}
        lines={1}
      >
        <p className="text-12 text-ink-3">
          订单 <CopyButton text={order.orderSn} label="订单编号" />
        </p>
      </GoodsSummary>
      <details className="mt-2 text-13">
        <summary className="hit link inline-block text-12">费用明细</summary>
        <FeeLines lines={order.lines} total={order.totalPrice} size="md" className="mt-2" />
      </details>
    </div>
  );
}

/** The payment method and one button; the step-up dialog asks for the pay password. */
function PayForm({
  data,
  busy,
  error,
  onPay,
}: {
  data: PayData;
  busy: boolean;
  error: { button?: string; low?: boolean };
  onPay: (choice: PayChoice, channelName: string) => void;
}) {
  const money = { coin: data.coin, total: data.order.totalPrice };
  const [choice, setChoice] = useState(() => firstChoice(money, data.methods));
  const nameOf = ({ method }: PayChoice) => data.methods.find(({ aliOrWx }) => aliOrWx === method)?.name ?? '余额';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onPay(choice, nameOf(choice));
  };
  const choose = (next: PayChoice) => {
    setChoice(next);
    if (next.method !== choice.method && isCodeAtOnce(money, next, data.methods)) onPay(next, nameOf(next));
  };
  const amount = choice.method === 'balance' ? money.total : channelPart(money, choice);
  return (
    <form onSubmit={submit}>
      <PayMethods data={data} choice={choice} onChoose={choose} />
      <div className="grid gap-3 border-t border-line-soft px-4 py-4">
        {error.button && (
          <FormError className="text-13!">
            <span>
              {error.button}
              {error.low && (
                <>
                  {'　'}
                  <Link to="/center/myself/recharge" className="link">
                    去充值
                  </Link>
                </>
              )}
            </span>
          </FormError>
        )}
        <Button type="submit" kind="primary" size="lg" busy={busy} className="w-full md:w-auto md:justify-self-end">
          {choice.method === 'balance' ? '确认支付' : '去支付'} <Amount yuan={amount} />
        </Button>
        <p className="text-12 text-ink-3">
          {takesBalance(choice) &&
            (data.hasPayPassword ? '动用余额需要支付密码。' : '动用余额需要支付密码，您还没有，付款时可以当场设置。')}
          货款付给平台托管账户，放款前卖家无法提取。{refundText(choice, data.methods)}
        </p>
      </div>
    </form>
  );
}

/** Payment of an order: amount, time left, methods, and the automatically updated state. */
export default function PayPage() {
  const data = useLoaderData<typeof payLoader>();
  const { busy, error, waiting: pending, watch, pay, drop, serverNow } = usePay(data);
  const { order, base } = data;
  return (
    <section className="panel mx-auto my-4 max-w-150 overflow-hidden md:my-8" aria-label="支付订单">
      {order.status !== OrderStatus.Unpaid ? (
        <>
          <h1 className="sr-only">支付订单</h1>
          <EmptyState
            title={`订单${order.statusName}，不能再付款`}
            action={
              <>
                <ButtonLink to={orderPath(order.orderSn)}>查看订单</ButtonLink>
                <ButtonLink to="/wares" kind="primary">
                  看看其他商品
                </ButtonLink>
              </>
            }
          >
            如果您刚刚付过款，这笔钱会自动退回，可在账单里查到。
          </EmptyState>
        </>
      ) : pending ? (
        <>
          <PayCode
            key={pending.payment.payRand}
            payment={pending.payment}
            state={watch.state}
            looking={watch.looking}
            serverNow={serverNow}
            back={`${base}/pay?orderSn=${order.orderSn}`}
            channelName={pending.channelName}
            onRecheck={watch.recheck}
            onAgain={drop}
          />
          <Goods data={data} />
        </>
      ) : (
        <>
          <Head data={data} />
          {data.already && <AlreadyPaid seller={data.already.seller} paid={data.already.paid} className="mx-4 mb-4" />}
          <PayForm
            key={data.coin}
            data={data}
            busy={busy}
            error={error}
            onPay={(choice, channelName) => void pay(choice, channelName)}
          />
        </>
      )}
    </section>
  );
}
