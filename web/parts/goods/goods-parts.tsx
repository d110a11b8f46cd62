import { ScanLine, ShieldCheck } from 'lucide-react';
import type { GoodsCard } from '#subjects/goods/contract/goods.ts';
import { accountTypes } from '#contract/rules/catalogue.ts';
import { fullTime } from '#contract/rules/time/time-label.ts';
import { coverAt } from '#web/lib/media/cover.ts';
import { Cover } from '#subjects/goods/web/parts/cover/cover.tsx';
import { Chip } from '#web/ui/tag.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { Amount } from '#web/ui/price.tsx';

/** The game's name before the title of a listing, unless the title begins with it. */
export const GameName = ({ name, title, className }: { name: string; title: string; className: string }) =>
  title.startsWith(name) ? null : <b className={className}>{name}</b>;

/** A listing's picture in a list: the seller's first one with the game's mark and how many there are, else the drawn cover. */
export function GoodsPicture({
  goods,
  width,
  height,
  eager,
  className,
  squareOnPhones = false,
}: {
  goods: Pick<GoodsCard, 'goodsSn' | 'hue' | 'thumbnail' | 'pictureNum'> & Partial<Pick<GoodsCard, 'glyph'>>;
  width: number;
  height: number;
  eager?: boolean;
  className?: string;
  /** The picture is square on phones. */
  squareOnPhones?: boolean;
}) {
  return (
    <Picture
      src={goods.thumbnail}
      phoneSrc={squareOnPhones ? coverAt(goods.thumbnail, '112x112') : undefined}
      alt=""
      width={width}
      height={height}
      {...(eager && { eager })}
      {...(className && { className })}
      fallback={<Cover seed={goods.goodsSn} hue={goods.hue} />}
    >
      {goods.pictureNum > 0 && (
        <>
          <b className="picture-game" style={{ '--h': goods.hue }} aria-hidden="true">
            {goods.glyph}
          </b>
          <span className="picture-count">{goods.pictureNum} 图</span>
        </>
      )}
    </Picture>
  );
}

/** The first attributes of a listing, in the order of the game's fields. */
export function GoodsChips({ goods, max }: { goods: GoodsCard; max: number }) {
  return (
    <span className="chips">
      {goods.chips.slice(0, max).map(({ label, value }) => (
        <Chip key={label} name={label}>
          {value}
        </Chip>
      ))}
    </span>
  );
}

const DAY_MS = 86_400_000;
/** Maximum age of an inspection displayed in days, the unit that buyers judge by; older ones show the date. */
const DAYS_COUNTED = 100;

/** The age of an inspection, as text; null when there was none. */
export function inspectedText(inspectedTime: string | null, now = Date.now()): string | null {
  if (!inspectedTime) return null;
  const at = Date.parse(inspectedTime);
  const days = Math.floor((now - at) / DAY_MS);
  if (days < 1) return '今天验号';
  return days < DAYS_COUNTED ? `${days} 天前验号` : `${fullTime(at).slice(0, 10)} 验号`;
}

/** Trust signals: inspection and guarantee for accounts, the market's escrow for everything. */
export function TrustBadges({ goods }: { goods: GoodsCard }) {
  if (!accountTypes.includes(goods.goodsTypeId)) {
    return (
      <span className="ok">
        <ShieldCheck className="icon" aria-hidden="true" />
        {goods.ensureOpen ? '可包赔' : '货款托管'}
      </span>
    );
  }
  const inspected = inspectedText(goods.inspectedTime);
  return (
    <>
      <span className={inspected ? 'ok' : undefined}>
        <ScanLine className="icon" aria-hidden="true" />
        {inspected ?? '未验号'}
      </span>
      <span className={goods.ensureOpen ? 'ok' : undefined}>
        <ShieldCheck className="icon" aria-hidden="true" />
        {goods.ensureOpen ? '可包赔' : '不支持包赔'}
      </span>
    </>
  );
}

/** The breakdown of the all-in price; displayed on hover and focus of the price. */
export function PriceLines({ goods }: { goods: GoodsCard }) {
  return (
    <span className="price-lines" role="note">
      <span>
        <i>商品价</i>
        <Amount yuan={goods.price} />
      </span>
      <span>
        <i>买家服务费</i>
        <Amount yuan={goods.serviceFee} />
      </span>
      <span className="sum">
        <i>全包价</i>
        <Amount yuan={goods.allInPrice} />
      </span>
      {goods.ensureFrom && (
        <em>
          可另选包赔，
          <Amount yuan={goods.ensureFrom} /> 起
        </em>
      )}
    </span>
  );
}
