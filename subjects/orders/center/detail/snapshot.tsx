import { GoodsSummary } from '../../web/parts/order/goods-line.tsx';
import { Chip } from '#web/ui/tag.tsx';
import { Amount } from '#web/ui/price.tsx';

interface SnapshotOrder {
  bigTitle: string;
  gameName: string;
  areaText: string;
  orderTypeId: number;
  orderTypeName: string;
  thumbnail: string;
  goodsSn: string | null;
  orderSn: string;
  goodsNum: number;
  unitPrice: string;
  attrs: readonly { label: string; value: string }[];
}

/** Number of attributes visible at first; the others expand. */
const VISIBLE_ATTRIBUTES = 8;

/** The listing at the time of the order, which is decisive in a dispute. */
export function Snapshot({ order }: { order: SnapshotOrder }) {
  const chips = order.attrs.map(({ label, value }) => (
    <Chip key={label} name={label}>
      {value}
    </Chip>
  ));
  return (
    <section className="panel scroll-mt-4" id="snapshot" aria-label="商品存档">
      <div className="panel-head">
        <h2>商品存档</h2>
        <p>下单时的内容，之后修改不影响本单</p>
      </div>
      <div className="grid gap-3 px-4 py-4">
        <GoodsSummary
          title={order.bigTitle}
          gameName={order.gameName}
          typeId={order.orderTypeId}
          typeName={order.orderTypeName}
          thumbnail={order.thumbnail}
          seed={order.goodsSn ?? order.orderSn}
          to={order.goodsSn ? `/detail/${order.goodsSn}` : undefined}
        >
          <p className="flex flex-wrap gap-x-4 text-12 text-ink-3">
            {order.areaText && <span>{order.areaText}</span>}
            <span>
              单价 <Amount yuan={order.unitPrice} />
            </span>
            <span>数量 {order.goodsNum}</span>
          </p>
        </GoodsSummary>
        {chips.length > 0 && (
          <div className="chips-whole">
            {chips.slice(0, VISIBLE_ATTRIBUTES)}
            {chips.length > VISIBLE_ATTRIBUTES && (
              <details className="w-full">
                <summary className="link inline-block text-12">全部 {chips.length} 项</summary>
                <div className="chips-whole mt-2">{chips.slice(VISIBLE_ATTRIBUTES)}</div>
              </details>
            )}
          </div>
        )}
      </div>
    </section>
  );
}
