import { useEffect, useState } from 'react';
import { companionCalendar } from '#contract/companions.ts';
import type { Data } from '#contract/endpoint.ts';
import { weekDays } from '#contract/rules/opening-hours.ts';
import { call } from '#web/lib/api.ts';
import { fenOf, yuanOf } from '#web/lib/format.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Amount } from '#web/ui/price.tsx';
import { ErrorState } from '#web/ui/states.tsx';

type Calendar = Data<typeof companionCalendar>;
interface Chosen {
  day: number;
  from: number;
  hours: number;
}

const WEEK = 7;
const NAMES: Readonly<Record<string, string>> = { f: '空', t: '已约', o: '不接单', p: '已过' };

/** Whoever looks at mornings asks for them. */
const AFTERNOON = 14;

/** The hours to show: afternoon and evening, and with `all` from the first that is anybody's on any day. */
function visibleHours(days: Calendar['days'], all: boolean): number[] {
  const used = days.flatMap(({ hours }) => [...hours].flatMap((letter, hour) => ('ft'.includes(letter) ? [hour] : [])));
  const first = Math.max(all ? 0 : AFTERNOON, Math.min(18, ...used));
  const last = Math.max(23, ...used);
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

const clock = (hour: number): string => `${String(hour % 24).padStart(2, '0')}:00`;
const dayName = (date: string): string => weekDays[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7] ?? '';

/** Presses on a cell: beside the chosen ones it is added, at their end it is taken away, elsewhere it begins again. */
function pressed(chosen: Chosen | null, day: number, hour: number, most: number): Chosen | null {
  if (chosen?.day === day) {
    const end = chosen.from + chosen.hours;
    if (hour === end && chosen.hours < most) return { ...chosen, hours: chosen.hours + 1 };
    if (hour === chosen.from - 1 && chosen.hours < most) return { day, from: hour, hours: chosen.hours + 1 };
    if (hour === end - 1) return chosen.hours === 1 ? null : { ...chosen, hours: chosen.hours - 1 };
    if (hour === chosen.from) return { day, from: hour + 1, hours: chosen.hours - 1 };
  }
  return { day, from: hour, hours: 1 };
}

function Legend() {
  return (
    <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-12 text-ink-3">
      {(
        [
          ['空', 'border border-brand-200 bg-brand-25'],
          ['已约', 'bg-line'],
          ['您选的', 'bg-brand-700'],
          ['不接单', 'border border-line-soft'],
        ] as const
      ).map(([label, look]) => (
        <span key={label} className="inline-flex items-center gap-1.5">
          <i className={cx('size-3 rounded-xs', look)} aria-hidden="true" />
          {label}
        </span>
      ))}
    </p>
  );
}

function Cells({
  calendar,
  from,
  all,
  chosen,
  onPress,
}: {
  calendar: Calendar;
  from: number;
  all: boolean;
  chosen: Chosen | null;
  onPress: (day: number, hour: number) => void;
}) {
  const days = calendar.days.slice(from, from + WEEK);
  return (
    <table className="w-full table-fixed border-separate border-spacing-1 text-12">
      <caption className="sr-only">选时间</caption>
      <thead>
        <tr>
          <th className="w-11" aria-hidden="true" />
          {days.map(({ date }, index) => (
            <th key={date} scope="col" className="pb-1 text-center font-normal text-ink-2">
              <b className="block font-medium">{from + index === 0 ? '今天' : dayName(date)}</b>
              <span className="text-11 text-ink-3">{date.slice(5)}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {visibleHours(days, all).map((hour) => (
          <tr key={hour}>
            <th scope="row" className="text-left text-11 font-normal text-ink-3">
              {clock(hour)}
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
                    aria-label={`${date} ${clock(hour)} ${isChosen ? '已选' : (NAMES[letter] ?? '')}`}
                    className={cx(
                      'block h-6 w-full rounded-xs',
                      isChosen
                        ? 'bg-brand-700'
                        : letter === 'f'
                          ? 'border border-brand-200 bg-brand-25 hover:bg-brand-50'
                          : letter === 't'
                            ? 'bg-line'
                            : 'border border-line-soft',
                    )}
                    onClick={() => onPress(day, hour)}
                  />
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function usePicked(calendar: Calendar | null) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const press = (day: number, hour: number) => {
    if (calendar) setChosen(pressed(chosen, day, hour, calendar.maxHours));
  };
  return { chosen, press };
}

/** The hours of a companion for two weeks; the chosen ones lead to the order. */
export default function SlotCalendar({ goodsSn }: { goodsSn: string }) {
  const [calendar, setCalendar] = useState<Calendar | null>(null);
  const [isLost, setLost] = useState(false);
  const [week, setWeek] = useState(0);
  const [all, setAll] = useState(false);
  const { chosen, press } = usePicked(calendar);
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
  const first = chosen && calendar.days[chosen.day];
  const isShort = chosen !== null && chosen.hours < calendar.minHours;
  return (
    <div className="mt-3 border-t border-line-soft pt-3">
      <p className="mb-1 flex items-baseline gap-2">
        <b className="font-semibold">选时间</b>
        <span className="text-12 text-ink-3">点空格子，连着选就是连着玩</span>
        <button type="button" className="link hit ml-auto text-12" onClick={() => setAll(!all)}>
          {all ? '只看下午和晚上' : '查看全天'}
        </button>
        <button type="button" className="link hit text-12" onClick={() => setWeek(1 - week)}>
          {week === 0 ? '下一周' : '这一周'}
        </button>
      </p>
      <Cells calendar={calendar} from={week * WEEK} all={all} chosen={chosen} onPress={press} />
      <Legend />
      {chosen && first && (
        <p className="mt-3 flex flex-wrap items-center gap-3" aria-live="polite">
          <span>
            {first.date.slice(5)} {clock(chosen.from)}–
            {chosen.from + chosen.hours === 24 ? '24:00' : clock(chosen.from + chosen.hours)}，{chosen.hours} 小时{' '}
            <Amount yuan={yuanOf(fenOf(calendar.price) * chosen.hours)} />
          </span>
          {isShort ? (
            <Button disabled>至少 {calendar.minHours} 小时</Button>
          ) : (
            <ButtonLink
              kind="primary"
              to={`/goods/${goodsSn}/order?goodsNum=${chosen.hours}&start=${first.date}T${clock(chosen.from)}`}
            >
              预约并付款
            </ButtonLink>
          )}
        </p>
      )}
    </div>
  );
}
