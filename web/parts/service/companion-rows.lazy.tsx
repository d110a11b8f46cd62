import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { companionCards } from '#contract/companions.ts';
import type { Data } from '#contract/endpoint.ts';
import type { GoodsCard } from '#contract/goods.ts';
import { call } from '#web/lib/api.ts';
import { GoodsRow } from '#web/parts/goods-row.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Price } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { VoicePlayer } from './voice-player.tsx';

type CompanionCard = Data<typeof companionCards>['list'][number];

const LOOK: Readonly<Record<string, string>> = {
  f: 'border border-brand-200 bg-brand-25',
  t: 'bg-line',
};

/** Tonight in six cells. */
function Tonight({ cells }: { cells: string }) {
  const free = [...cells].filter((letter) => letter === 'f').length;
  return (
    <div className="max-md:hidden" role="img" aria-label={`今晚 18 点到 24 点，空 ${free} 小时`}>
      <p className="mb-1 text-12 text-ink-3">今晚</p>
      <p className="flex gap-0.5">
        {[...cells].map((letter, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: six hours in their order
          <i key={index} className={cx('h-3.5 w-6 rounded-xs', LOOK[letter] ?? 'bg-canvas')} />
        ))}
      </p>
      <p className="mt-0.5 flex w-40 justify-between text-11 text-ink-3">
        <span>18</span>
        <span>21</span>
        <span>24 点</span>
      </p>
    </div>
  );
}

/** A companion in a list, with the voice sample and what buyers compare. */
function CompanionRow({ goods, card }: { goods: GoodsCard; card: CompanionCard }) {
  const isFree = card.closedNow === null;
  return (
    <li className="goods-row grid-cols-[96px_minmax(0,1fr)_172px_120px]! max-md:grid-cols-[84px_minmax(0,1fr)_auto]! max-md:[grid-template-areas:none]!">
      <Avatar name={card.name} src={card.avatar} size={96} className="rounded-control! max-md:size-21!" />
      <div className="min-w-0">
        <h3 className="flex flex-wrap items-center gap-x-2 text-16 font-semibold">
          <Link to={goods.pageUrl} className="stretched">
            {card.name}
          </Link>
          <span className="inline-flex items-center gap-1 text-12 font-normal text-ink-3">
            <i className={cx('dot', isFree && 'dot-on')} aria-hidden="true" />
            {isFree ? '现在有空' : '现在没空，可预约'}
          </span>
        </h3>
        <p className="mt-0.5 truncate text-13 text-ink-2">{goods.bigTitle}</p>
        <p className="mt-1 flex flex-wrap gap-1.5">
          {card.tags.map((tag) => (
            <Tag key={tag}>{tag}</Tag>
          ))}
        </p>
        {card.voice && (
          <p className="mt-1.5">
            <VoicePlayer voice={card.voice} name={card.name} />
          </p>
        )}
      </div>
      <Tonight cells={card.tonight} />
      <div className="grid justify-items-end gap-1">
        <Price yuan={goods.price} size="lg" />
        <span className="text-12 text-ink-3">每小时</span>
        <span className="text-12 text-ink-3">
          {card.score === null ? '暂无评价，' : <b className="mr-1 text-ink">{card.score.toFixed(1)}</b>}
          {card.doneNum} 单
        </span>
        {card.noShows > 0 && <span className="text-12 text-ink-3">爽约 {card.noShows} 次</span>}
      </div>
    </li>
  );
}

const cards = new Map<string, CompanionCard | null>();
const listeners = new Map<string, (card: CompanionCard | null) => void>();

/** Asks for the cards of all rows that were drawn together, in one call. */
function askFor(goodsSn: string, tell: (card: CompanionCard | null) => void): void {
  listeners.set(goodsSn, tell);
  if (listeners.size > 1) return;
  setTimeout(() => {
    const batch = [...listeners].slice(0, 50);
    listeners.clear();
    call(companionCards, { goodsSns: batch.map(([sn]) => sn) }, { quiet: true }).then(
      ({ list }) => {
        for (const [sn, hear] of batch) {
          const card = list.find((one) => one.goodsSn === sn) ?? null;
          cards.set(sn, card);
          hear(card);
        }
      },
      () => undefined,
    );
  });
}

/** A row of a list of companions: the row of any listing until its card is here, and where it cannot be had. */
export default function CompanionListRow({ goods, eager = false }: { goods: GoodsCard; eager?: boolean }) {
  const { goodsSn } = goods;
  const [card, setCard] = useState(cards.get(goodsSn) ?? null);
  useEffect(() => {
    let isGone = false;
    askFor(goodsSn, (found) => {
      if (!isGone) setCard(found);
    });
    return () => {
      isGone = true;
    };
  }, [goodsSn]);
  return card ? <CompanionRow goods={goods} card={card} /> : <GoodsRow goods={goods} eager={eager} />;
}
