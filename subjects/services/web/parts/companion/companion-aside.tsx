import { CalendarCheck, ShieldCheck, TimerReset, UserRoundCheck } from 'lucide-react';
import type { Ref } from 'react';
import { Link } from 'react-router';
import type { companionCards } from '#subjects/services/contract/companions.ts';
import type { Data } from '#contract/endpoint.ts';
import type { GoodsCard } from '#subjects/goods/contract/goods.ts';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Price } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { freeText } from '../service/free-text.ts';
import { VoicePlayer } from './voice-player.tsx';

export type CompanionCard = Data<typeof companionCards>['list'][number];

/** Only when an hour is being chosen. */
const SlotCalendar = lazyWithRetry(
  () => import('./slot-calendar.lazy.tsx'),
  <div className="mt-3 min-h-64" aria-hidden="true" />,
);

const PROMISES = [
  [TimerReset, '陪玩超时没到，自动全额退款'],
  [CalendarCheck, '双方都到场才计时，按分钟结算'],
  [UserRoundCheck, '双方均为实名成年人'],
  [ShieldCheck, '随时可以停止、拉黑或举报'],
] as const;

/** The companion that was chosen in the list: voice, record, and the hours to book. */
export function CompanionAside({
  goods,
  card,
  heading,
}: {
  goods: GoodsCard;
  card: CompanionCard;
  /** Receives the focus when the companion is chosen. */
  heading: Ref<HTMLHeadingElement>;
}) {
  const isFree = card.closedNow === null;
  const figures: readonly [string, string][] = [
    ['评分', card.score === null ? '暂无' : card.score.toFixed(1)],
    ['完成', `${card.doneNum} 单`],
    ['爽约', `${card.noShows} 次`],
  ];
  return (
    <div className="grid gap-4 p-4">
      <div className="flex items-start gap-3">
        <Avatar name={card.name} src={card.avatar} size={64} className="rounded-control!" />
        <div className="min-w-0 flex-1">
          <h2 ref={heading} tabIndex={-1} className="text-16 font-semibold">
            {card.name}
          </h2>
          <p className="flex items-center gap-1 text-12 text-ink-3">
            <i className={cx('dot', isFree && 'dot-on')} aria-hidden="true" />
            {freeText(card)}
          </p>
          <p className="mt-1 truncate text-13 text-ink-2" title={goods.bigTitle}>
            {goods.bigTitle}
          </p>
        </div>
        <p className="text-right">
          <Price yuan={goods.price} size="lg" />
          <span className="block text-12 text-ink-3">每小时</span>
        </p>
      </div>
      {card.voice && (
        <p>
          <VoicePlayer voice={card.voice} name={card.name} />
        </p>
      )}
      {card.tags.length > 0 && (
        <p className="flex flex-wrap gap-1.5">
          {card.tags.map((tag) => (
            <Tag key={tag}>{tag}</Tag>
          ))}
        </p>
      )}
      <dl className="grid grid-cols-3 border-t border-line-soft pt-3">
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt className="text-12 text-ink-3">{label}</dt>
            <dd className="text-16 font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="text-13">
        <SlotCalendar goodsSn={goods.goodsSn} />
      </div>
      <ul className="grid grid-cols-2 gap-x-3 gap-y-2 text-12 text-ink-2">
        {PROMISES.map(([Icon, text]) => (
          <li key={text} className="flex gap-1.5">
            <Icon className="icon mt-0.5 size-3.5 flex-none text-safe" aria-hidden="true" />
            {text}
          </li>
        ))}
      </ul>
      <Link to={goods.pageUrl} className="link text-13">
        服务约定、评价和问答
      </Link>
    </div>
  );
}
