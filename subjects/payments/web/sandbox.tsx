import { PaymentStatus } from '#contract/rules/statuses.ts';
import { CircleCheck, CircleX, FlaskConical } from 'lucide-react';
import { Link, type LoaderFunctionArgs, useLoaderData, useSearchParams } from 'react-router';
import { sandboxPress, showPayUrl } from '#subjects/payments/contract/pay.ts';
import { notFound } from '#web/lib/pages/not-found.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { market } from '#web/lib/pages/context.ts';
import { safeReturn } from '#web/lib/pages/paths.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Countdown } from '#web/ui/countdown.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Price } from '#web/ui/price.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '沙箱付款', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const payment = await market(args).call(showPayUrl, { payRand: args.params.payRand ?? '' });
  if (!payment.sandbox) return notFound();
  return { payment, now: new Date().toISOString() };
}

const DONE: Readonly<Record<number, string>> = {
  [PaymentStatus.Paid]: '付款成功，请回到原页面查看结果',
  [PaymentStatus.Closed]: '这笔付款已关闭，没有扣款',
  [PaymentStatus.PaidLate]: '付款到账较晚，订单已关闭，金额退回余额',
} satisfies Record<Exclude<PaymentStatus, typeof PaymentStatus.Pending>, string>;

/** The page behind the demo market's payment QR code: the amount, and the two results that a channel can return. */
export default function SandboxPage() {
  const { payment, now } = useLoaderData<typeof loader>();
  const [query] = useSearchParams();
  const back = query.get('back');
  const done = DONE[payment.status];

  const { pending, error, setErrors, send } = useMutation(sandboxPress, { revalidates: true });
  const submit = async (action: 'pay' | 'fail') => {
    const result = await send({ payRand: payment.payRand, act: action });
    if (result?.acknowledged === false) setErrors({ send: '商户没有接受这条通知，请重试' });
  };

  return (
    <section className="panel w-full max-w-100 overflow-hidden" aria-labelledby="sandbox">
      <p className="flex items-center justify-center gap-2 border-b border-attn-line bg-attn-bg px-4 py-2 text-13 text-attn">
        <FlaskConical className="icon" aria-hidden="true" />
        沙箱，模拟付款渠道，不产生真实扣款
      </p>
      <div className="grid justify-items-center gap-2 px-4 py-6 text-center">
        <h1 id="sandbox" className="text-13 font-normal text-ink-2">
          {payment.subject}
        </h1>
        <Price yuan={payment.amount} size="xl" />
        {done ? (
          <p className="mt-2 flex items-center gap-2 text-14 font-medium" role="status">
            {payment.status === PaymentStatus.Paid ? (
              <CircleCheck className="icon size-5 text-safe" aria-hidden="true" />
            ) : (
              <CircleX className="icon size-5 text-ink-3" aria-hidden="true" />
            )}
            {done}
          </p>
        ) : (
          <p className="text-12 text-ink-3">
            剩余 <Countdown until={payment.expireTime} now={now} />
          </p>
        )}
      </div>
      <div className="grid gap-2 border-t border-line-soft px-4 py-4 empty:hidden">
        {!done && (
          <>
            <Button
              kind="primary"
              size="lg"
              busy={pending?.act === 'pay'}
              disabled={pending?.act === 'fail'}
              onClick={() => void submit('pay')}
            >
              付款成功
            </Button>
            <Button
              size="lg"
              busy={pending?.act === 'fail'}
              disabled={pending?.act === 'pay'}
              onClick={() => void submit('fail')}
            >
              付款失败
            </Button>
          </>
        )}
        <FormError className="justify-center">{error}</FormError>
        {back && (
          <Link to={safeReturn(back)} className={buttonClass({ kind: done ? 'primary' : 'ghost' })}>
            返回原页面
          </Link>
        )}
      </div>
    </section>
  );
}
