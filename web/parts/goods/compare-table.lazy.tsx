import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { GoodsCard } from '#subjects/goods/contract/goods.ts';
import { coinRatio } from '#web/lib/format/coin-ratio.ts';
import { toggleCompared } from '#web/lib/lists/compare-store.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Amount, Price } from '#web/ui/price.tsx';
import { bandText, shownBand } from '#web/ui/forms/price-band.tsx';
import { ScrollX } from '#web/ui/lists/scroll-x.tsx';
import { GoodsPicture, inspectedText } from './goods-parts.tsx';

interface CompareRow {
  label: string;
  cells: readonly ReactNode[];
  /** The plain values, to highlight the rows in which the listings differ. */
  values: readonly string[];
}

/** A card has only the first attributes of its listing: one that it lacks may still be on the listing's page. */
const NOT_ON_CARD = '见商品页';

/** Whether the known values of a row differ. */
const isDifferent = (values: readonly string[]): boolean =>
  new Set(values.filter((value) => value !== NOT_ON_CARD)).size > 1;

function linesOf(items: readonly GoodsCard[]): CompareRow[] {
  const compareRow = (
    label: string,
    value: (goods: GoodsCard) => string,
    cell?: (goods: GoodsCard) => ReactNode,
  ): CompareRow => ({
    label,
    values: items.map(value),
    cells: items.map(cell ?? value),
  });
  const labels = [...new Set(items.flatMap(({ chips }) => chips.map(({ label }) => label)))];
  return [
    compareRow(
      '全包价',
      (g) => g.allInPrice,
      (g) => <Price yuan={g.allInPrice} />,
    ),
    compareRow(
      '商品价',
      (g) => g.price,
      (g) => <Amount yuan={g.price} />,
    ),
    compareRow('与参考价相比', (g) => {
      const band = shownBand(g.band);
      if (band) return bandText(band);
      return g.band ? '同类价格跨度大' : (coinRatio(g)?.ratio ?? '暂无参考价');
    }),
    compareRow('区服', (g) => g.crossName || '—'),
    ...labels.map((label) =>
      compareRow(label, (g) => g.chips.find((chip) => chip.label === label)?.value ?? NOT_ON_CARD),
    ),
    compareRow('验号', (g) => inspectedText(g.inspectedTime) ?? '未验号'),
    compareRow('包赔', (g) => (g.ensureOpen ? '可包赔' : '不支持')),
    compareRow('交付', (g) => (g.isOfficialSell ? '平台交付' : '卖家交付')),
    compareRow('卖家', (g) => `${g.seller.nickName} · ${g.seller.levelName}`),
    compareRow('卖家成交', (g) => `${g.seller.soldNum} 单`),
    compareRow('好评率', (g) => (g.seller.goodRate === null ? '—' : `${g.seller.goodRate}%`)),
  ];
}

/** The compared listings side by side; rows in which they differ are highlighted. */
export default function CompareTable({ items, onClose }: { items: readonly GoodsCard[]; onClose: () => void }) {
  return (
    <Dialog title="并排对比" shape="wide" onClose={onClose}>
      <ScrollX label="并排对比">
        <table className="table min-w-160 table-fixed">
          <thead>
            <tr>
              <th scope="col" className="w-28 py-3! align-top">
                商品
              </th>
              {items.map((goods) => (
                <th key={goods.goodsSn} scope="col" className="py-3! align-top whitespace-normal!">
                  <GoodsPicture goods={goods} width={160} height={106} className="w-40 max-w-full" />
                  <Link
                    to={goods.pageUrl}
                    onClick={onClose}
                    className="mt-2 line-clamp-2 text-13 text-ink hover:text-link"
                  >
                    {goods.bigTitle}
                  </Link>
                  <button
                    type="button"
                    className="mt-1 inline-flex items-center gap-1 hover:text-danger"
                    onClick={() => toggleCompared(goods)}
                  >
                    <X className="icon size-3" aria-hidden="true" />
                    移出
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {linesOf(items).map(({ label, cells, values }) => (
              <tr key={label} className={isDifferent(values) ? 'bg-brand-25' : undefined}>
                <th scope="row">{label}</th>
                {cells.map((cell, index) => (
                  <td key={items[index]?.goodsSn}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
      <p className="mt-3 text-12 text-ink-3">底色标出的是几件商品不同的项目。</p>
    </Dialog>
  );
}
