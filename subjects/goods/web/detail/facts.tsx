import { CircleAlert, type LucideIcon, ScanLine, ShieldCheck, Store } from 'lucide-react';
import { Link } from 'react-router';
import { accountTypes } from '#contract/rules/catalogue.ts';
import { isNewSeller } from '../../rules/new-seller.ts';
import { fullTime } from '#contract/rules/time/time-label.ts';
import { grouped } from '#web/lib/format/format.ts';
import { cx } from '#web/ui/class-names.ts';
import type { DetailData, DetailMore } from './loader.ts';
import { rate } from './rate.ts';

type Goods = DetailData['goods'] & DetailMore['goods'];

interface Fact {
  icon: LucideIcon;
  title: string;
  text: string;
  /** A fact that speaks against the purchase stays in its place, in amber. */
  isGood: boolean;
  link: [label: string, to: string];
}

/** The values read from the account, and whether they match the seller's statements. */
function inspectionFact({ inspection }: Goods): Fact {
  const [first] = inspection;
  if (!first)
    return {
      icon: ScanLine,
      title: '还没验过号',
      text: '下面的信息都是卖家自己填的',
      isGood: false,
      link: ['看信息', '#inspection'],
    };
  const different = inspection.filter(({ said }) => said).length;
  return {
    icon: ScanLine,
    title: different === 0 ? `${inspection.length} 项验号结果与描述一致` : `${different} 项验号结果与描述不同`,
    text: `${first.reader}，${fullTime(Date.parse(first.readTime)).slice(5)}`,
    isGood: different === 0,
    link: ['看结果', '#inspection'],
  };
}

function factsOf(goods: Goods): Fact[] {
  const { seller } = goods;
  const sold = `成交 ${grouped(seller.soldNum)} 单`;
  return [
    inspectionFact(goods),
    goods.ensureOpen
      ? {
          icon: ShieldCheck,
          title: '可加包赔，被找回有赔付',
          text: '没加包赔，被找回的损失自己承担',
          isGood: true,
          link: ['看公示', '/guarantee'],
        }
      : {
          icon: ShieldCheck,
          title: '不支持包赔',
          text: '号被找回时只能走申诉',
          isGood: false,
          link: ['看规则', '/rulings'],
        },
    isNewSeller(seller.soldNum)
      ? {
          icon: Store,
          title: seller.soldNum === 0 ? '卖家新手，还没有成交' : `卖家新手，仅 ${seller.soldNum} 单`,
          text: '货款一直在平台，验收前不会给卖家',
          isGood: false,
          link: ['看卖家', `/seller/${seller.sellerId}`],
        }
      : {
          icon: Store,
          title: `${seller.levelName}卖家，${sold}`,
          text: seller.goodRate === null ? '评价还不够统计' : `好评 ${rate(seller.goodRate)}%`,
          isGood: true,
          link: ['看卖家', `/seller/${seller.sellerId}`],
        },
  ];
}

/** Three facts about this account that decide whether it is safe; of other goods, their attributes. */
export default function Facts({ goods }: { goods: Goods }) {
  if (!accountTypes.includes(goods.goodsTypeId))
    return (
      <ul className="mt-4 flex flex-wrap gap-1 border-t border-line pt-4 max-md:hidden">
        {goods.chips.map(({ label, value }) => (
          <li key={label} className="chip h-6! px-2!">
            {label}
            <b>{value}</b>
          </li>
        ))}
      </ul>
    );
  const facts = factsOf(goods);
  const isSafe = facts.every(({ isGood }) => isGood);
  const Head = isSafe ? ShieldCheck : CircleAlert;
  return (
    <section className={cx('facts-box', !isSafe && 'facts-attn')} aria-labelledby="facts">
      <h2 id="facts">
        <Head className="icon" aria-hidden="true" />
        {isSafe ? '为什么这件可以放心' : '买前请知道'}
      </h2>
      <ul>
        {facts.map(({ icon: Icon, title, text, isGood, link: [label, to] }) => (
          <li key={title}>
            <Icon className={cx('icon size-5', isGood ? 'text-safe' : 'text-attn')} aria-hidden="true" />
            <span className="min-w-0 flex-1">
              <b className={cx(!isGood && 'text-attn')}>{title}</b>
              <span className="block text-12 text-ink-3">{text}</span>
            </span>
            {to.startsWith('#') ? (
              <a href={to} className="link hit">
                {label}
              </a>
            ) : (
              <Link to={to} className="link hit">
                {label}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
