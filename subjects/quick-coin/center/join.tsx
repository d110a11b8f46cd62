import { CircleCheck } from 'lucide-react';
import { AuthStatus } from '#contract/rules/statuses.ts';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import { getShopQuickCoinInfo, shopQuickCoinApply } from '#subjects/quick-coin/contract/quick-coin.ts';
import { depositPath } from '#web/lib/pages/paths.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ApplyForm } from '../web/parts/coin/apply-form.tsx';
import { yuanLabel } from '#web/lib/format/format.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { servicePath } from '#subjects/orders/web/parts/order/order-links.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '申请开店', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { call: request, user } = market(args);
  return { ...(await request(getShopQuickCoinInfo, {})), isVerified: user?.authStatus === AuthStatus.Verified };
}

type Shop = NonNullable<Data<typeof getShopQuickCoinInfo>['shop']>;

/** The state of the application, and the next step. */
function ApplicationState({ shop }: { shop: Shop }) {
  if (shop.status === 'reviewing')
    return (
      <EmptyState
        title="申请审核中"
        action={
          shop.deposit.level === 0 && (
            <ButtonLink to={depositPath('shop')} kind="primary">
              缴纳保证金
            </ButtonLink>
          )
        }
      >
        {fullAt(shop.createTime)} 提交，通常 1 个工作日内有结果。
        {shop.deposit.level === 0 && `缴足保证金 ${yuanLabel(shop.deposit.required ?? '0.00')} 元后才能通过。`}
        通过后在「店铺管理」发布报价。
      </EmptyState>
    );
  if (shop.status === 'suspended')
    return (
      <EmptyState title="店铺已被暂停" action={<ButtonLink to={servicePath({ goodsSn: null })}>联系客服</ButtonLink>}>
        {shop.reviewNote ?? '请联系客服了解原因。'}
      </EmptyState>
    );
  return (
    <EmptyState
      icon={<CircleCheck className="icon size-8 text-safe" strokeWidth={1.25} />}
      title={`「${shop.name}」已开通`}
      action={
        <>
          {shop.deposit.level === 0 && (
            <ButtonLink to={depositPath('shop')} kind="primary">
              缴纳保证金
            </ButtonLink>
          )}
          <ButtonLink to="/center/myshop/shopmanage" {...(shop.deposit.level > 0 && { kind: 'primary' })}>
            管理店铺
          </ButtonLink>
        </>
      }
    >
      {shop.deposit.level > 0 ? (
        `保证金等级：${shop.deposit.levelName}，最多同时 ${shop.maxOnSaleNum} 个报价。`
      ) : (
        <>
          缴纳保证金 <Amount yuan={shop.deposit.required ?? '0.00'} /> 后即可发布报价。
        </>
      )}
    </EmptyState>
  );
}

const STEPS = [
  ['提交申请', '通常 1 个工作日内有结果'],
  ['缴纳保证金', '金额决定最多同时几个报价；停业后可申请退还'],
  ['发布报价', '按份定价，库存和交货方式随时可改'],
  ['发货收款', '货款先由平台托管，买家确认后放款'],
] as const;

/** Shows the steps after an application, next to its form. */
function Steps() {
  return (
    <aside className="border-line-soft p-4 max-lg:border-t lg:border-l" aria-label="开店步骤">
      <ol className="grid gap-4">
        {STEPS.map(([name, text], index) => (
          <li key={name} className="flex gap-3 text-13">
            <i className="grid size-6 flex-none place-items-center rounded-full bg-sunken text-12 font-semibold not-italic">
              {index + 1}
            </i>
            <span>
              <b className="block font-semibold">{name}</b>
              <span className="text-ink-3">{text}</span>
            </span>
          </li>
        ))}
      </ol>
    </aside>
  );
}

/** Application for a coin shop, or the state of the one submitted. */
export default function JoinShop() {
  const { shop, coinGames, isVerified } = useLoaderData<typeof loader>();
  const mayApply = shop === null || shop.status === 'refused' || shop.status === 'left';
  return (
    <section className="panel" aria-labelledby="join">
      <div className="panel-head">
        <h1 id="join" className="text-16 font-semibold">
          申请开店
        </h1>
        <p className="max-md:hidden">极速金币店铺：按份卖游戏币，货款由平台托管</p>
      </div>
      {!mayApply ? (
        <ApplicationState shop={shop} />
      ) : isVerified ? (
        <div className="grid lg:grid-cols-[1fr_320px]">
          <ApplyForm
            former={shop}
            games={coinGames}
            labels={{ name: '店铺名称', games: '经营的游戏', intro: '货源、在线时间、发货速度；不要留联系方式。' }}
            foot="缴足保证金并通过审核后可发布报价，保证金可申请退还。"
            send={(form, options) => call(shopQuickCoinApply, form, options)}
          />
          <Steps />
        </div>
      ) : (
        <EmptyState
          title="先完成实名认证"
          action={
            <ButtonLink
              kind="primary"
              to="/center/myself/identityAuthentication?returnUrl=%2Fcenter%2Fmyshop%2Fjoinshop"
            >
              去实名认证
            </ButtonLink>
          }
        >
          开店需要已成年的实名用户。
        </EmptyState>
      )}
    </section>
  );
}
