import { useState } from 'react';
import { useNavigate } from 'react-router';
import { durationText, fenOf, grouped, yuanOf } from '#web/lib/format/format.ts';
import { integerOf } from '#web/lib/forms/form-values.ts';
import { Deliveries, Ratios } from '#web/parts/goods/ratios.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Price } from '#web/ui/price.tsx';
import type { StorefrontData } from './storefront-loader.ts';
import { partPath, storefrontPath } from './storefront-query.ts';

const MAX_AMOUNT = 999_999_999;

type Matched = NonNullable<StorefrontData['matched']>;

/** The query of the page as hidden fields: without scripts the form keeps the selection. */
function Hidden({ data }: { data: StorefrontData }) {
  const query = new URLSearchParams(storefrontPath({ ...data.state, amount: null }).split('?')[1]);
  return [...query].map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);
}

function AmountForm({ data, unit }: { data: StorefrontData; unit: string }) {
  const { state, area } = data;
  const navigate = useNavigate();
  const [text, setText] = useState(state.amount === null ? '' : String(state.amount));
  const [error, setError] = useState(false);
  return (
    <form
      action="/fastGold/fastGoldOrder"
      className="flex flex-wrap items-center gap-2 px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        const amount = integerOf(text, 1, MAX_AMOUNT);
        setError(amount === null);
        if (amount !== null) void navigate(storefrontPath({ ...state, amount }), { preventScrollReset: true });
      }}
    >
      <Hidden data={data} />
      <label htmlFor="amount" className="text-13">
        要买多少
      </label>
      <Input
        id="amount"
        name="amount"
        className="w-36"
        inputMode="numeric"
        autoComplete="off"
        placeholder="比如 10000"
        value={text}
        disabled={!area}
        aria-invalid={error || undefined}
        aria-describedby="amount-help"
        onChange={(event) => setText(event.target.value)}
      />
      <span className="text-13 text-ink-2">{unit}</span>
      <Button type="submit" kind="tonal" disabled={!area}>
        配店铺
      </Button>
      {error ? (
        <FormError id="amount-help">数量应为大于 0 的整数</FormError>
      ) : (
        <span id="amount-help" className="text-12 text-ink-3">
          {area ? '一家店不够时，配几家最便宜的凑齐' : '先选大区'}
        </span>
      )}
    </form>
  );
}

/** The cost of the match compared with the cheapest single shop, in one sentence. */
function comparison({ match, oneShop }: Matched): string {
  if (!match) return '';
  if (match.missing > 0) return `最多四家店只能凑到这些，还差 ${match.missingText}`;
  if (!oneShop) return '没有一家店能单独卖够';
  const saved = fenOf(oneShop.allInPrice) - fenOf(match.allInPrice);
  if (match.parts.length === 1 || saved <= 0) return '在一家店买就是最便宜的';
  return `比只在一家店买（${oneShop.shop.name}，${grouped(oneShop.allInPrice)} 元）省 ${grouped(yuanOf(saved))} 元`;
}

function Result({ data, matched }: { data: StorefrontData; matched: Matched }) {
  const { match } = matched;
  if (!match) return <p className="px-4 pb-4 text-13 text-ink-3">这个大区现在没有店铺卖，换个大区或交货方式看看。</p>;
  const where = [match.serverName, match.camp].filter(Boolean).join(' ');
  return (
    <>
      <div className="border-t border-line-soft px-4 py-3" role="status">
        <p className="text-14">
          {match.parts.length} 家店共 <b className="font-semibold">{match.amountText}</b>，合计{' '}
          <Price yuan={match.allInPrice} size="sm" />
        </p>
        <p className="mt-1 text-12 text-ink-3">
          {comparison(matched)}
          {match.extraText && `；按整份卖，多出 ${match.extraText}`}
          {where && `；收货角色要在 ${where}`}
        </p>
      </div>
      <ul className="border-t border-line-soft">
        {match.parts.map((part) => (
          <li key={part.quickCoinSn} className="coin-row">
            <Ratios ratioText={part.ratioText} unitPriceText={part.unitPriceText} />
            <span className="min-w-0 text-13">
              <b className="block font-semibold">{part.amountText}</b>
              <span className="mt-1 flex items-center gap-2 text-12 text-ink-3">
                <Deliveries delivery={part.delivery} />
                {grouped(part.num)} 份
              </span>
            </span>
            <span className="min-w-0 text-13">
              <b className="block truncate font-medium">{part.shop.name}</b>
              <span className="block truncate text-12 text-ink-3">
                成交 {grouped(part.shop.doneNum)}
                {part.shop.goodRate !== null && `，好评 ${part.shop.goodRate}%`}，
                {durationText(part.shop.averageShipMinutes ?? part.shipMinutes)}发货
              </span>
            </span>
            <span className="coin-price">
              <Price yuan={part.allInPrice} />
              <span className="text-12 text-ink-3">含服务费</span>
            </span>
            <ButtonLink to={partPath(part, data.state)} kind="tonal" aria-label={`在 ${part.shop.name} 下单`}>
              去下单
            </ButtonLink>
          </li>
        ))}
      </ul>
      <p className="border-t border-line-soft px-4 py-2.5 text-12 text-ink-3">
        每家各下一单、各自托管和发货；没付款前价格和库存可能变化，下单页以当时的为准。
      </p>
    </>
  );
}

/** An amount of coin, collected from the cheapest shops of the area. */
export function MatchPanel({ data }: { data: StorefrontData }) {
  const { state, game, storefront, matched } = data;
  if (!game) return null;
  const chosen = storefront.quickCoinTypes.find(({ id }) => id === state.quickCoinType);
  const unit = storefront.list[0]?.unit ?? chosen?.name ?? game.coinUnit ?? '';
  return (
    <section className="panel mt-4" aria-label="按数量配店铺">
      <AmountForm key={`${state.gid} ${state.areaId} ${state.amount}`} data={data} unit={unit} />
      {state.amount !== null && matched && <Result data={data} matched={matched} />}
      {state.amount !== null && state.areaId !== null && !matched && (
        <FormError className="px-4 pb-4">没有配出来，请稍后再试。</FormError>
      )}
    </section>
  );
}
