import { grouped } from '#web/lib/format/format.ts';
import { useNavigate, useRevalidator } from 'react-router';
import { respondMiddleman } from '#subjects/middleman/contract/middleman.ts';
import { BUYS, SELLS } from '#contract/rules/parties.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { withoutGame } from '#subjects/orders/web/parts/order/order-details.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { copyText } from '#web/ui/copy-button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Amount, Price } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import type { Deal, PageData } from './middleman-loader.ts';
import { AlreadyPaid } from './parts/already-paid.tsx';
import { AccountField } from './traded-fields.tsx';

/** The viewer's actions on a deal. */
function DealActions({ deal, data }: { deal: Deal; data: PageData }) {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const needsAccount = deal.needsAccountNo && deal.viewer === 'visitor' && deal.openerBelong === BUYS;
  const { busy, error, send } = useMutation(respondMiddleman, {
    check: ({ act: action, accountNo }) => ({
      send: action === 'accept' && needsAccount && !accountNo ? '请填写游戏账号' : undefined,
    }),
    done: async ({ orderSn }) => {
      if (orderSn === null) await revalidate();
      else
        await navigate(
          deal.openerBelong === SELLS
            ? `/goods/${deal.dealSn}/pay?orderSn=${orderSn}`
            : `/center/buyOrderDetail?orderSn=${orderSn}`,
        );
    },
  });
  const respond = async (action: 'accept' | 'refuse' | 'withdraw') => {
    const accountNo = document.querySelector<HTMLInputElement>('input[name="accountNo"]')?.value.trim() ?? '';
    await send({
      dealSn: deal.dealSn,
      act: action,
      ...(data.code && { code: data.code }),
      ...(action === 'accept' && needsAccount && { accountNo }),
    });
  };
  const { path } = deal;
  return (
    <div className="flex flex-wrap gap-2 border-t border-line-soft px-4 py-3.5 max-md:[&>.btn]:flex-1">
      {deal.orderSn && (
        <ButtonLink to={`/center/buyOrderDetail?orderSn=${deal.orderSn}`} kind="primary">
          查看订单
        </ButtonLink>
      )}
      {path && (
        <>
          <Button kind="primary" onClick={() => void copyText(`${data.origin}${path}`)}>
            复制链接发给对方
          </Button>
          <Button busy={busy} onClick={() => void respond('withdraw')}>
            撤回
          </Button>
        </>
      )}
      {needsAccount && data.login === null && data.isVerified && (
        <div className="w-full md:max-w-120">
          <AccountField />
        </div>
      )}
      {deal.status === 'waiting' &&
        deal.viewer === 'visitor' &&
        (data.login ? (
          <ButtonLink to={data.login} kind="primary">
            登录后接受
          </ButtonLink>
        ) : data.isVerified ? (
          <>
            <Button kind="primary" busy={busy} onClick={() => void respond('accept')}>
              {deal.openerBelong === SELLS ? `接受并去付款 ¥${grouped(deal.buyerPays)}` : '接受交易'}
            </Button>
            <Button busy={busy} onClick={() => void respond('refuse')}>
              拒绝
            </Button>
          </>
        ) : (
          <ButtonLink to="/center/myself/identityAuthentication" kind="primary">
            先完成实名认证
          </ButtonLink>
        ))}
      <FormError className="w-full">{error}</FormError>
    </div>
  );
}

/** One private deal: parties, amount, terms, and the viewer's actions. */
export function DealPanel({ deal, data }: { deal: Deal; data: PageData }) {
  const [buyer, seller] =
    deal.openerBelong === BUYS ? [deal.openerName, deal.partnerName] : [deal.partnerName, deal.openerName];
  const isBuyer = (deal.viewer === 'opener') === (deal.openerBelong === BUYS);
  const details: [string, string][] = [
    ...(deal.goodsTypeName
      ? [['商品类型', [deal.goodsTypeName, deal.areaText].filter(Boolean).join('，')] satisfies [string, string]]
      : []),
    ['买家', buyer ?? '等待接受'],
    ['卖家', seller ?? '等待接受'],
    ['谈好的价格', `¥${grouped(deal.price)}`],
    ['买家付', `¥${grouped(deal.buyerPays)}`],
    ['卖家到手', `¥${grouped(deal.sellerGets)}`],
    ['手续费', `¥${grouped(deal.fee)}，${deal.feeSideName}`],
    [
      deal.status === 'waiting' ? '有效至' : '发起于',
      fullAt(deal.status === 'waiting' ? deal.expireTime : deal.createTime),
    ],
  ];
  return (
    <section className="panel max-md:mt-3" aria-labelledby="deal">
      <div className="panel-head">
        <h1 id="deal" className="text-16 font-semibold">
          担保交易
        </h1>
        <Tag {...(deal.status === 'ordered' ? { tone: 'safe' as const } : { tone: 'attn' as const })}>
          {deal.statusName}
        </Tag>
        <p>{deal.dealSn}</p>
      </div>
      <div className="px-4 py-4">
        <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
          <b className="text-16 font-semibold">
            {deal.gameName && `${deal.gameName} `}
            {withoutGame(deal.title, deal.gameName)}
          </b>
          <span className="flex items-baseline gap-1.5">
            {isBuyer ? (
              <Price yuan={deal.buyerPays} size="lg" />
            ) : (
              <Amount yuan={deal.sellerGets} className="text-20 font-bold" />
            )}
            <span className="text-12 text-ink-3">{isBuyer ? '您付，含手续费' : '您到手，已扣手续费'}</span>
          </span>
        </p>
        {deal.description && (
          <p className="mt-2 max-w-180 text-13 whitespace-pre-line text-ink-2">{deal.description}</p>
        )}
        <dl className="mt-4 grid grid-cols-2 gap-3 text-13 md:grid-cols-3">
          {details.map(([label, value]) => (
            <div key={label} className="grid gap-0.5">
              <dt className="text-12 text-ink-3">{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      {deal.alreadyPaid && <AlreadyPaid seller={seller ?? ''} paid={deal.alreadyPaid} className="mx-4 mb-4" />}
      <DealActions deal={deal} data={data} />
    </section>
  );
}
