import { useEffect, useRef, useState } from 'react';
import { companionCalendar } from '#subjects/services/contract/companions.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '#web/lib/api/api.ts';
import { fenOf, yuanLabel, yuanOf, yuanParts } from '#web/lib/format/format.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Price } from '#web/ui/price.tsx';
import { ErrorState } from '#web/ui/states.tsx';
import { dayText, hourText, slotClass, weekdayText } from '../service/free-text.ts';

type Calendar = Data<typeof companionCalendar>;
interface Chosen {
  day: number;
  from: number;
  hours: number;
}

const WEEK = 7;
const NAMES: Readonly<Record<string, string>> = { f: '可约', t: '已约', o: '不接单', p: '已过' };

interface FirstFree {
  day: number;
  hour: number;
}

/** The first free hour of some days, and how many there are. */
function freeHours(days: Calendar['days']): { first: FirstFree | null; count: number } {
  const free = days.flatMap(({ hours }, day) =>
    [...hours].flatMap((letter, hour) => (letter === 'f' ? [{ day, hour }] : [])),
  );
  return { first: free[0] ?? null, count: free.length };
}

/** The hours to show: from the first to the last that is free or taken on any of the days. */
function visibleHours(days: Calendar['days']): number[] {
  const used = days.flatMap(({ hours }) => [...hours].flatMap((letter, hour) => ('ft'.includes(letter) ? [hour] : [])));
  if (used.length === 0) return [];
  const first = Math.min(...used);
  return Array.from({ length: Math.max(...used) - first + 1 }, (_, i) => first + i);
}

/**
 * Handles a click on a cell: next to the chosen ones it is added, at their end it is removed, elsewhere a new selection
 * starts.
 */
function picked(chosen: Chosen | null, day: number, hour: number, most: number): Chosen | null {
  if (chosen?.day === day) {
    const end = chosen.from + chosen.hours;
    if (hour === end && chosen.hours < most) return { ...chosen, hours: chosen.hours + 1 };
    if (hour === chosen.from - 1 && chosen.hours < most) return { day, from: hour, hours: chosen.hours + 1 };
    if (hour === end - 1) return chosen.hours === 1 ? null : { ...chosen, hours: chosen.hours - 1 };
    if (hour === chosen.from) return { day, from: hour + 1, hours: chosen.hours - 1 };
  }
  return { day, from: hour, hours: 1 };
}

function Legend({ price }: { price: string }) {
  return (
    <p className="mt-3 flex flex-wrap gap-x-4 gap-y-1.5 text-12 text-ink-3">
      {(
        [
          ['可约，数字是每小时价', 'slot-free', price],
          ['已约', 'slot-taken', '约'],
          ['不接单或已过', '', ''],
          ['您选的', 'slot-chosen', '✓'],
        ] as const
      ).map(([label, look, text]) => (
        <span key={label} className="inline-flex items-center gap-1.5">
          <i className={cx('slot h-5! w-auto! min-w-7 px-1 text-11!', look)} aria-hidden="true">
            {text}
          </i>
          {label}
        </span>
      ))}
    </p>
  );
}

/** The price of an hour in a cell, without the decimals that are zero. */
const cellPrice = (price: string): string => yuanParts(price).join('').replace(/\.00$/, '');

function Cells({
  calendar,
  from,
  chosen,
  onPick,
}: {
  calendar: Calendar;
  from: number;
  chosen: Chosen | null;
  onPick: (day: number, hour: number) => void;
}) {
  const days = calendar.days.slice(from, from + WEEK);
  const { first } = freeHours(days);
  const box = useRef<HTMLDivElement>(null);
  // Hours before the first free one are above the visible part.
  useEffect(() => {
    const row = box.current?.querySelector<HTMLElement>('[data-first]');
    const head = box.current?.querySelector<HTMLElement>('thead');
    if (box.current) box.current.scrollTop = row && head ? row.offsetTop - head.offsetHeight : 0;
  }, [from]);
  const price = cellPrice(calendar.price);
  return (
    <div ref={box} className="slot-days relative">
      <table className="w-full table-fixed border-separate border-spacing-1 text-12">
        <caption className="sr-only">选时间</caption>
        <thead className="sticky top-0 z-1 bg-panel">
          <tr>
            <th className="w-11" aria-hidden="true" />
            {days.map(({ date }, index) => (
              <th key={date} scope="col" className="pb-1 text-center font-normal text-ink-2">
                <b className={cx('block font-medium', from + index === 0 && 'text-brand-700')}>
                  {from + index === 0 ? '今天' : weekdayText(date)}
                </b>
                <span className="text-11 text-ink-3">{date.slice(5)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {visibleHours(days).map((hour) => (
            <tr key={hour} data-first={hour === first?.hour || undefined}>
              <th scope="row" className="text-left text-11 font-normal text-ink-3">
                {hourText(hour)}
              </th>
              {days.map(({ date, hours }, index) => {
                const day = from + index;
                const letter = hours[hour] ?? 'o';
                const isChosen = chosen?.day === day && hour >= chosen.from && hour < chosen.from + chosen.hours;
                return (
                  <td key={date} className="p-0">
                    <button
                      type="button"
                      disabled={letter !== 'f'}
                      aria-pressed={isChosen}
                      // The price that is shown belongs to the name: it is what a voice user says.
                      aria-label={`${letter === 'f' ? `${yuanLabel(calendar.price)}，` : ''}${date} ${hourText(hour)} ${isChosen ? '已选' : (NAMES[letter] ?? '')}`}
                      className={cx(slotClass(letter), isChosen && 'slot-chosen')}
                      onClick={() => onPick(day, hour)}
                    >
                      {isChosen ? '✓' : letter === 'f' ? price : letter === 't' ? '约' : ''}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/**
 * The chosen hours with their sum, and the link to the order. On phones it stays at the bottom, above the page's own
 * bar.
 */
function ChosenBar({ goodsSn, calendar, chosen }: { goodsSn: string; calendar: Calendar; chosen: Chosen }) {
  const first = calendar.days[chosen.day];
  if (!first) return null;
  const missing = calendar.minHours - chosen.hours;
  return (
    <p className="slot-bar" aria-live="polite">
      <span className="mr-auto">
        {dayText(chosen.day, first.date)} {hourText(chosen.from)}–{hourText(chosen.from + chosen.hours)}，{chosen.hours}{' '}
        小时
        <Price yuan={yuanOf(fenOf(calendar.price) * chosen.hours)} className="block" />
      </span>
      {missing > 0 ? (
        <Button disabled>
          再选 {missing} 小时，至少 {calendar.minHours} 小时
        </Button>
      ) : (
        <ButtonLink
          kind="primary"
          to={`/goods/${goodsSn}/order?goodsNum=${chosen.hours}&start=${first.date}T${hourText(chosen.from)}`}
        >
          预约并付款
        </ButtonLink>
      )}
    </p>
  );
}

function usePicked(calendar: Calendar | null) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const pick = (day: number, hour: number) => {
    if (calendar) setChosen(picked(chosen, day, hour, calendar.maxHours));
  };
  return { chosen, pick };
}

/** The hours of a companion for two weeks; the chosen ones lead to the order. */
export default function SlotCalendar({ goodsSn }: { goodsSn: string }) {
  const [calendar, setCalendar] = useState<Calendar | null>(null);
  const [isLost, setLost] = useState(false);
  const [shown, setShown] = useState<number | null>(null);
  const { chosen, pick } = usePicked(calendar);
  useEffect(() => {
    let isGone = false;
    if (isLost) return undefined;
    call(companionCalendar, { goodsSn }, { quiet: true }).then(
      (data) => !isGone && setCalendar(data),
      () => !isGone && setLost(true),
    );
    return () => {
      isGone = true;
    };
  }, [goodsSn, isLost]);
  if (isLost) return <ErrorState message="可约时间没有加载出来" onRetry={() => setLost(false)} />;
  if (!calendar) return <div className="mt-3 min-h-64" aria-hidden="true" />;
  const all = freeHours(calendar.days);
  // The week of the first free hour, until another one is selected.
  const week = shown ?? (all.first && all.first.day >= WEEK ? 1 : 0);
  const days = calendar.days.slice(week * WEEK, (week + 1) * WEEK);
  const { first, count } = freeHours(days);
  const name = week === 0 ? '本周' : '下周';
  const day = first && days[first.day];
  return (
    <div className="mt-3 border-t border-line-soft pt-3">
      <p className="mb-2 flex flex-wrap items-center gap-x-2 gap-y-1">
        <b className="font-semibold">选时间</b>
        <span className="text-12 text-ink-3">
          {first && day ? (
            <>
              {name}最近可约：
              <b className="font-semibold text-ink">
                {dayText(week * WEEK + first.day, day.date)} {hourText(first.hour)}
              </b>
              ，共 {count} 个空档
            </>
          ) : (
            `${name}没有空档`
          )}
        </span>
        <Button size="sm" className="ml-auto" onClick={() => setShown(1 - week)}>
          {week === 0 ? '下一周' : '这一周'}
        </Button>
      </p>
      {count > 0 && (
        <>
          <Cells calendar={calendar} from={week * WEEK} chosen={chosen} onPick={pick} />
          <Legend price={cellPrice(calendar.price)} />
        </>
      )}
      {chosen && <ChosenBar goodsSn={goodsSn} calendar={calendar} chosen={chosen} />}
    </div>
  );
}
