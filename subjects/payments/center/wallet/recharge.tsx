import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { payMethodShow } from '#subjects/payments/contract/pay.ts';
import { market } from '#web/lib/pages/context.ts';
import { safeReturn } from '#web/lib/pages/paths.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { TopUp } from '../../web/parts/pay/top-up.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Amount } from '#web/ui/price.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '充值', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { call, user } = market(args);
  const returnParam = args.url.searchParams.get('returnUrl');
  const returnTo = returnParam ? safeReturn(returnParam, '') : '';
  return {
    methods: await call(payMethodShow, {}),
    coin: user?.coin ?? '0.00',
    returnTo: returnTo || null,
    here: returnTo ? `/center/myself/recharge?returnUrl=${encodeURIComponent(returnTo)}` : '/center/myself/recharge',
    now: new Date().toISOString(),
  };
}

/** Topping up the balance. */
export default function RechargePage() {
  const { methods, coin, returnTo, here, now } = useLoaderData<typeof loader>();
  return (
    <section className="panel max-w-150" aria-labelledby="recharge">
      <div className="panel-head">
        <h1 id="recharge" className="text-16 font-semibold">
          充值
        </h1>
        <p className="ml-auto text-13!">
          可用余额 <Amount yuan={coin} className="font-semibold text-ink" />
        </p>
      </div>
      <TopUp
        methods={methods}
        now={now}
        back={here}
        after={
          <ButtonLink to={returnTo ?? '/center/mywallets/list'} kind="primary">
            {returnTo ? '回去继续付款' : '查看账单'}
          </ButtonLink>
        }
      />
      <p className="border-t border-line-soft px-4 py-3 text-12 text-ink-3">
        充值的钱只进您的可用余额，可用于付款，也可提现到实名本人的账户。
      </p>
    </section>
  );
}
