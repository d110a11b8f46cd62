import { useState } from 'react';
import { type MetaFunction, useLoaderData, useNavigate } from 'react-router';
import { pageMeta } from '#web/lib/pages/site.ts';
import { grouped } from '#web/lib/format/format.ts';
import { Breadcrumb } from '#web/ui/lists/breadcrumb.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { FoldedForm } from './folded-form.tsx';
import { AccountForm } from './form.tsx';
import { Behind, Comparables, Head, isLowFloor, isPriced, Lines, WaysOut } from './result.tsx';
import { LiveError } from './live-error.tsx';
import { useLive } from './use-live.ts';
import type { loader as valuationLoader, ValuationData } from './valuation-loader.ts';

export { loader } from './valuation-loader.ts';

export const handle = { phone: { back: true, ownBar: true } };

export const meta: MetaFunction<typeof valuationLoader> = (args) =>
  pageMeta(args, {
    title: `${args.loaderData?.game.name ?? ''}账号估价`,
    description: '按真实成交估价：低、常、高三个价，每一项值多少、样本与日期都写明；上月准不准公开可查',
    canonicalQuery: args.loaderData ? `gameId=${args.loaderData.game.id}` : undefined,
    noindex: args.loaderData?.isKept === true,
  });

function Body({ data }: { data: ValuationData }) {
  const navigate = useNavigate();
  const live = useLive(data);
  const { result } = live;
  const [choice, setChoice] = useState<'fast' | 'typical' | 'slow'>('typical');
  const chosen = result.offers.find((o) => o.key === choice) ?? result.offers[0];
  const go = async (to: (sn: string) => string) => {
    const sn = await live.keep();
    if (sn) await navigate(to(sn));
  };
  const sell = () =>
    void go(
      (sn) => `/center/sell?gameId=${data.game.id}&gt=1&valuation=${sn}${chosen ? `&price=${chosen.price}` : ''}`,
    );
  const recycle = () => void go((sn) => `/recycle?valuation=${sn}`);
  if (!isPriced(result) || !chosen)
    return (
      <div className="val-page val-flow">
        <AccountForm data={data} live={live} />
        <div className="grid content-start gap-4">
          <section className="panel">
            <h1 className="sr-only">{data.game.name}账号估价</h1>
            <EmptyState
              title={`同类只成交了 ${grouped(result.samples)} 件，还估不准`}
              action={
                <>
                  <Button kind="primary" onClick={recycle} disabled={live.busy}>
                    让回收商竞价
                  </Button>
                  <Button onClick={sell} disabled={live.busy}>
                    自己定价卖
                  </Button>
                </>
              }
            >
              满 30 件真实成交才给价格，下面是已有的成交。填好的账号情况会带过去。
            </EmptyState>
            <LiveError live={live} className="border-t border-line-soft px-4 py-3" />
          </section>
          {result.comparables.length > 0 && (
            <Comparables result={result} title={`已有的 ${result.comparables.length} 笔成交`} />
          )}
        </div>
      </div>
    );
  return (
    <div className="val-flow">
      <div className="val-page">
        <div className="val-top">
          <LiveError live={live} className="panel px-4 py-3 max-md:hidden" />
          <Head result={result} was={live.was} busy={live.busy} />
        </div>
        <FoldedForm data={data} live={live} />
        <div className="val-results">
          <WaysOut
            result={result}
            chosen={chosen}
            onChoose={setChoice}
            onSell={sell}
            onRecycle={recycle}
            bidSeconds={data.bidSeconds}
            busy={live.busy}
          />
          <div className="val-columns">
            <div className="grid content-start gap-4">
              <Lines result={result} />
              <Comparables result={result} title={`最像的 ${result.comparables.length} 笔成交`} />
            </div>
            <div className="grid content-start gap-4">
              <Behind result={result} />
            </div>
          </div>
        </div>
      </div>
      <div className="val-bar md:hidden">
        <LiveError live={live} className="col-span-2" />
        <Button onClick={recycle} disabled={live.busy}>
          <span>
            现在回收
            {result.recycleFloor !== null && (
              <small>{isLowFloor(result) ? '填全再报保底价' : `保底 ¥${grouped(result.recycleFloor)}`}</small>
            )}
          </span>
        </Button>
        <Button kind="primary" onClick={sell} disabled={live.busy}>
          <span>
            按 ¥{grouped(chosen.price)} 卖<small>到手 ¥{grouped(chosen.net)}</small>
          </span>
        </Button>
      </div>
    </div>
  );
}

/** The valuation of an account, based on real sales of similar accounts. */
export default function Valuation() {
  const data = useLoaderData<typeof valuationLoader>();
  return (
    <>
      <div className="max-md:hidden">
        <Breadcrumb
          items={[{ label: '首页', to: '/' }, { label: '估价', to: '/gj-wzry' }, { label: data.game.name }]}
        />
      </div>
      <Body key={`${data.game.id}:${data.first.evaluationSn}`} data={data} />
    </>
  );
}
