import { type MouseEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { companionCards } from '#subjects/services/contract/companions.ts';
import { EVENING } from '../../../rules/companion-slots.ts';
import type { GoodsCard } from '#subjects/goods/contract/goods.ts';
import { call } from '#web/lib/api/api.ts';
import { keptWhenLost } from '#web/lib/loading/hydrated-later.tsx';
import { useMedia } from '#web/lib/browser/use-media.ts';
import { GoodsRow } from '#web/parts/goods/goods-row.tsx';
import { CompanionAside, type CompanionCard } from './companion-aside.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Price } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { freeText, slotClass } from '../service/free-text.ts';
import { VoicePlayer } from './voice-player.tsx';

/** Width from which the chosen companion's card has a column next to the list (list.css). */
const WITH_ASIDE = '(min-width: 75rem)';

/** Tonight in six cells, readable without colour: a free hour shows its number, a taken one 约, a closed one is hatched. */
function Tonight({ card }: { card: CompanionCard }) {
  const free = [...card.tonight].filter((letter) => letter === 'f').length;
  return (
    <div className="min-w-0 max-md:col-span-3 max-md:flex max-md:items-center max-md:justify-between max-md:gap-2">
      <p className={cx('text-13 font-semibold md:mb-1.5', card.closedNow === null && 'text-safe')}>{freeText(card)}</p>
      {/[ft]/.test(card.tonight) ? (
        <p className="slots" role="img" aria-label={`今晚 18 点到 24 点，空 ${free} 小时`}>
          {[...card.tonight].map((letter, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: six hours in their order
            <i key={index} className={slotClass(letter)}>
              {letter === 'f' ? EVENING.from + index : letter === 't' ? '约' : ''}
            </i>
          ))}
        </p>
      ) : (
        // A row of closed hours would say nothing else.
        card.nextFree?.day === 0 && <p className="text-12 text-ink-3">今晚 18 点后休息</p>
      )}
    </div>
  );
}

const ROW =
  'goods-row grid-cols-[96px_minmax(0,1fr)_208px_96px]! max-md:grid-cols-[84px_minmax(0,1fr)_auto]! max-md:[grid-template-areas:none]!';

interface RowState {
  isChosen: boolean;
  /** Null without room next to the list. */
  onChoose: ((goodsSn: string) => void) | null;
}

/**
 * A companion in a list, with the voice sample and the comparison data. A click opens it next to the list if there is
 * room.
 */
function CompanionRow({ goods, card, isChosen, onChoose }: { goods: GoodsCard; card: CompanionCard } & RowState) {
  const isFree = card.closedNow === null;
  const open = (event: MouseEvent) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!isPlain || !onChoose) return;
    event.preventDefault();
    onChoose(goods.goodsSn);
  };
  return (
    <li className={cx(isChosen && 'companion-chosen', ROW)}>
      <Avatar name={card.name} src={card.avatar} size={96} className="rounded-control! max-md:size-21!" />
      <div className="min-w-0">
        <h3 className="flex flex-wrap items-center gap-x-2 text-16 font-semibold">
          <Link to={goods.pageUrl} className="stretched" aria-current={isChosen || undefined} onClick={open}>
            {card.name}
          </Link>
          <span className="inline-flex items-center gap-1 text-12 font-normal text-ink-3">
            <i className={cx('dot', isFree && 'dot-on')} aria-hidden="true" />
            {isFree ? '在线' : '预约'}
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
      <div className="grid justify-items-end gap-1 md:order-1">
        <Price yuan={goods.price} size="lg" />
        <span className="text-12 text-ink-3">每小时</span>
        <span className="text-12 text-ink-3">
          {card.score === null ? (
            card.doneNum === 0 ? (
              '新人，'
            ) : (
              '暂无评价，'
            )
          ) : (
            <b className="mr-1 text-ink">{card.score.toFixed(1)}</b>
          )}
          {card.doneNum} 单
        </span>
        {card.noShows > 0 && <span className="text-12 text-ink-3">爽约 {card.noShows} 次</span>}
      </div>
      <Tonight card={card} />
    </li>
  );
}

const cards = new Map<string, CompanionCard | null>();
const listeners = new Map<string, (card: CompanionCard | null) => void>();

/** Requests the cards of all rows rendered together, in one call. */
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

/**
 * The card of a companion: the loader's newest, or the one of a separate call after loading; null until then, and when
 * unavailable.
 */
function useCard(goodsSn: string, loaded: CompanionCard | undefined): CompanionCard | null {
  const [own, setOwn] = useState(loaded ?? cards.get(goodsSn) ?? null);
  useEffect(() => {
    if (loaded) {
      cards.set(goodsSn, loaded);
      return undefined;
    }
    let isGone = false;
    askFor(goodsSn, (found) => {
      if (!isGone) setOwn(found);
    });
    return () => {
      isGone = true;
    };
  }, [goodsSn, loaded]);
  return loaded ?? own;
}

/** A row of a list of companions; an ordinary listing row until its card has loaded. */
function Row({
  goods,
  loaded,
  eager,
  onCard,
  ...state
}: { goods: GoodsCard; loaded: CompanionCard | undefined; eager: boolean; onCard: () => void } & RowState) {
  const card = useCard(goods.goodsSn, loaded);
  useEffect(() => {
    if (card) onCard();
  }, [card, onCard]);
  return card ? (
    <CompanionRow goods={goods} card={card} {...state} />
  ) : (
    <GoodsRow goods={goods} eager={eager} withGame />
  );
}

/** The rows of a list of companions and, on wide screens, the chosen one next to them with the hours. */
function CompanionRows({
  items,
  loaded,
  eager,
  footer,
}: {
  items: readonly GoodsCard[];
  /** The cards of the first page, from the loader. */
  loaded: readonly CompanionCard[];
  eager: number;
  footer: ReactNode;
}) {
  const hasAside = useMedia(WITH_ASIDE);
  const [clicked, setClicked] = useState<{ goodsSn: string } | null>(null);
  const choose = (goodsSn: string) => setClicked({ goodsSn });
  // The clicked row is far away in the tab order.
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (clicked) heading.current?.focus({ preventScroll: true });
  }, [clicked]);
  // A loaded card is also rendered next to the list.
  const [, setCount] = useState(0);
  const countCard = useCallback(() => setCount((count) => count + 1), []);
  const loadedOf = (sn: string) => loaded.find(({ goodsSn }) => goodsSn === sn);
  const bookable = items.find(({ goodsSn }) => loadedOf(goodsSn)?.nextFree) ?? items[0];
  const chosen = hasAside ? (items.find(({ goodsSn }) => goodsSn === clicked?.goodsSn) ?? bookable) : undefined;
  const card = chosen && (loadedOf(chosen.goodsSn) ?? cards.get(chosen.goodsSn));
  return (
    <>
      <div className="min-w-0">
        <ul>
          {items.map((goods, index) => (
            <Row
              key={goods.goodsSn}
              goods={goods}
              loaded={loadedOf(goods.goodsSn)}
              eager={index < eager}
              isChosen={goods.goodsSn === chosen?.goodsSn}
              onChoose={hasAside ? choose : null}
              onCard={countCard}
            />
          ))}
        </ul>
        <div className="border-t border-line-soft">{footer}</div>
      </div>
      <aside className="companion-aside" aria-label="选中的陪玩">
        {chosen && card && <CompanionAside key={chosen.goodsSn} goods={chosen} card={card} heading={heading} />}
      </aside>
    </>
  );
}

export default keptWhenLost(CompanionRows);
