import { Gift, PartyPopper, TicketPercent } from 'lucide-react';
import { type LoaderFunctionArgs, Link, type MetaFunction, useLoaderData } from 'react-router';
import { couponCampaignList, lotteryInfo } from '#subjects/promotions/contract/coupon.ts';
import { grouped } from '#web/lib/format/format.ts';
import { market, optional } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { Campaigns, ReceiveErrorText } from './parts/promo/campaigns.tsx';
import { shortYuan } from './parts/promo/coupon-text.ts';
import { Breadcrumb } from '#web/ui/lists/breadcrumb.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { ScrollX } from '#web/ui/lists/scroll-x.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { RING, ringOf } from './draw.ts';
import { useDraw } from './use-draw.ts';

export const meta: MetaFunction = (args) =>
  pageMeta(args, { title: '抽奖与领券', description: '每天免费抽奖，奖品与概率公开，由服务器判定。' });

export async function loader(args: LoaderFunctionArgs) {
  const { call, user } = market(args);
  const [lottery, campaigns] = await Promise.all([call(lotteryInfo, {}), optional(call(couponCampaignList, {}))]);
  return { lottery, campaigns: campaigns?.list ?? [], signedIn: user !== null };
}

type Lottery = Awaited<ReturnType<typeof loader>>['lottery'];
type Prize = Lottery['prizes'][number];

function Cell({ prize, on }: { prize: Prize; on: boolean }) {
  return (
    <div className={cx('draw-cell', on && 'draw-cell-on')}>
      {prize.amount ? (
        <>
          <b className="text-16">¥{grouped(shortYuan(prize.amount))}</b>
          <span className="text-12 text-ink-2">{prize.kindName}</span>
        </>
      ) : (
        <>
          <Gift className="icon" aria-hidden="true" />
          <span className="text-12 text-ink-3">{prize.kindName}</span>
        </>
      )}
    </div>
  );
}

const buttonText = (drawsLeft: number | null): string => (drawsLeft === 0 ? '明天再来' : '立即抽奖');

/** Nine cells: eight prizes around the button. */
function Grid({ lottery, signedIn }: { lottery: Lottery; signedIn: boolean }) {
  const ring = ringOf(lottery.prizes);
  const { busy, at, drawn, error, draw } = useDraw(ring);
  const cells = Array.from({ length: 9 }, (_, cell) => {
    const step = RING.findIndex((p) => p === cell);
    const prize = ring[step];
    if (prize) return <Cell key={cell} prize={prize} on={step === at} />;
    return signedIn ? (
      <Button
        key={cell}
        kind="primary"
        className="draw-press"
        busy={busy}
        disabled={lottery.drawsLeft === 0 && !busy}
        onClick={() => void draw()}
      >
        {buttonText(lottery.drawsLeft)}
      </Button>
    ) : (
      <ButtonLink key={cell} kind="primary" className="draw-press" to="/login?returnUrl=%2Flotterydraw">
        登录后抽奖
      </ButtonLink>
    );
  });
  return (
    <div className="grid content-start gap-3 p-4">
      <div className="draw-grid" aria-busy={busy}>
        {cells}
      </div>
      <div className="min-h-10 text-center text-13" role="status">
        {drawn?.coupon ? (
          <p className="inline-flex flex-wrap items-center justify-center gap-1.5 font-medium text-safe">
            <PartyPopper className="icon" aria-hidden="true" />
            抽中「{drawn.coupon.name}」，已放入
            <Link to="/lotterydraw/myCoupon" className="link">
              我的优惠券
            </Link>
          </p>
        ) : drawn ? (
          <p className="text-ink-2">这次没有抽中，今天还可抽 {drawn.drawsLeft} 次</p>
        ) : (
          <p className="text-ink-3">
            每天免费 {lottery.drawsPerDay} 次{lottery.drawsLeft !== null && `，今天还剩 ${lottery.drawsLeft} 次`}
          </p>
        )}
        <div className="mt-1 flex justify-center">
          <ReceiveErrorText error={error} />
        </div>
      </div>
    </div>
  );
}

/** The published odds, which the server draws by. */
function Odds({ prizes }: { prizes: readonly Prize[] }) {
  return (
    <ScrollX label="奖品与概率">
      <table className="table">
        <caption className="sr-only">奖品与概率</caption>
        <thead>
          <tr>
            <th scope="col">奖品</th>
            <th scope="col" className="num">
              概率
            </th>
            <th scope="col" className="num">
              剩余
            </th>
          </tr>
        </thead>
        <tbody>
          {prizes.map((p) => (
            <tr key={p.prizeIndex}>
              <td className="min-w-40">
                {p.name}
                <span
                  className="odds-bar mt-1"
                  style={{ width: `${Math.max(p.oddsPercent, 0.5)}%` }}
                  aria-hidden="true"
                />
              </td>
              <td className="num">{p.oddsPercent.toFixed(2)}%</td>
              <td className="num">{p.left === null ? '—' : p.left === 0 ? '已抽完' : grouped(p.left)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  );
}

function Winners({ winners }: { winners: Lottery['winners'] }) {
  if (winners.length === 0)
    return <EmptyState title="还没有人抽中">第一位中奖者会显示在这里，昵称只显示首字。</EmptyState>;
  return (
    <ul aria-label="最近中奖">
      {winners.map((w, i) => (
        <li key={i} className="flex items-baseline gap-3 border-b border-line-soft px-4 py-2 text-13 last:border-b-0">
          <span className="w-12 flex-none">{w.nickName}</span>
          <span className="min-w-0 flex-1 truncate">{w.name}</span>
          <span className="flex-none text-12 text-ink-3">
            <TimeLabel at={w.time} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The lottery with its published odds, and the coupons that any user can claim. */
export default function LotteryPage() {
  const { lottery, campaigns, signedIn } = useLoaderData<typeof loader>();
  return (
    <>
      <div className="max-md:hidden">
        <Breadcrumb items={[{ label: '首页', to: '/' }, { label: '抽奖与领券' }]} />
      </div>
      <div className="grid gap-4 max-md:my-3">
        <section className="panel" aria-labelledby="lottery">
          <div className="panel-head">
            <h1 id="lottery" className="text-16 font-semibold">
              每日抽奖
            </h1>
            <p className="max-md:hidden">免费，概率公开，由服务器判定</p>
            <Link to="/lotterydraw/myCoupon" className="more">
              <TicketPercent className="icon size-3.5" aria-hidden="true" />
              我的优惠券
            </Link>
          </div>
          {lottery.open ? (
            <div className="grid md:grid-cols-[400px_minmax(0,1fr)] md:[&>:last-child]:border-l md:[&>:last-child]:border-line-soft">
              <Grid lottery={lottery} signedIn={signedIn} />
              <Odds prizes={lottery.prizes} />
            </div>
          ) : (
            <EmptyState title="抽奖活动暂未开放">下次活动开放前，可以先领取下面的优惠券。</EmptyState>
          )}
        </section>
        <section className="panel" aria-labelledby="campaigns">
          <div className="panel-head">
            <h2 id="campaigns">领券</h2>
            <p className="max-md:hidden">下单时自动选最省的一张，可以改选；订单关闭或退款后退回</p>
          </div>
          {campaigns.length === 0 ? (
            <EmptyState title="暂时没有可领取的优惠券" action={<ButtonLink to="/wares">去看看商品</ButtonLink>} />
          ) : (
            <div className="grid gap-3 p-4">
              <Campaigns list={campaigns} signedIn={signedIn} />
            </div>
          )}
        </section>
        <div className="grid gap-4 md:grid-cols-2">
          <section className="panel" aria-labelledby="winners">
            <div className="panel-head">
              <h2 id="winners">最近中奖</h2>
            </div>
            <Winners winners={lottery.winners} />
          </section>
          <section className="panel" aria-labelledby="rules">
            <div className="panel-head">
              <h2 id="rules">抽奖规则</h2>
            </div>
            <ol className="grid list-decimal gap-1.5 py-3 pr-4 pl-9 text-13 text-ink-2">
              {lottery.rules.map((rule) => (
                <li key={rule}>{rule}</li>
              ))}
            </ol>
          </section>
        </div>
      </div>
    </>
  );
}
