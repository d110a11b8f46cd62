import { Link, useRevalidator } from 'react-router';
import { Countdown } from '#web/ui/countdown.tsx';
import { Amount } from '#web/ui/price.tsx';
import { PriceLine } from '../price-line.tsx';
import { agreedOf } from './agreed.ts';
import type { DetailData } from '../loader.ts';
import { useOwnOffer } from './use-own-offer.ts';

/** The viewer's offer and its actions, as the seller answers it. */
function Mine({ data }: { data: DetailData }) {
  const { revalidate } = useRevalidator();
  useOwnOffer(data);
  const mine = data.bargain?.mine;
  if (!mine) return null;
  const agreed = agreedOf(data);
  const open = mine.acts.length > 0;
  return (
    <>
      <span aria-live="polite">
        {agreed ? (
          <>
            成交价 <Amount yuan={agreed.price} className="font-semibold" />
            ，全包 <Amount yuan={agreed.allInPrice} />
            ，仅对您有效
          </>
        ) : mine.sellrCounterofferPrice && open ? (
          <>
            卖家还价 <Amount yuan={mine.sellrCounterofferPrice} className="font-semibold" />
            ，全包 <Amount yuan={mine.allInPrice} />
          </>
        ) : (
          <>
            您出价 <Amount yuan={mine.sellrBargaPrice} />，{mine.statusName}
          </>
        )}
      </span>
      {open && (
        <span className="text-ink-3">
          ，剩 <Countdown until={mine.expireTime} now={data.now} onEnd={() => void revalidate()} />
        </span>
      )}
      {open && !agreed && (
        <Link to="/center/buyBargainGoods" className="link ml-2">
          {mine.acts.includes('agree') ? '去答复' : '查看'}
        </Link>
      )}
    </>
  );
}

/** The bargains on this listing: a buyer sees the own offer and the number of others, the seller the received ones. */
export default function BargainLine({ data }: { data: DetailData }) {
  const { bargain, goods } = data;
  if (!bargain) return null;
  const others = bargain.offers > 0 && bargain.highest && (
    <>
      {bargain.offers} 人在议价，最高出价 <Amount yuan={bargain.highest} />
    </>
  );
  return (
    <PriceLine label="议价">
      {bargain.mine ? <Mine data={data} /> : <span className="text-ink-2">{others}</span>}
      {goods.isMine && (
        <Link to={`/center/sellBargainGoods?keyWord=${goods.goodsSn}`} className="link ml-2">
          去答复
        </Link>
      )}
    </PriceLine>
  );
}
