import { chinaDay } from '#contract/rules/time/china-time.ts';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Fragment, useState } from 'react';
import type { ListName } from '#contract/lists/names.ts';
import { daysOf, isPreset, rangeOf, rangePresets, typedMoment } from '#contract/rules/time/date-range.ts';
import { countText } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { FormError } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { useRowCount } from './use-list.ts';
import { pressedKey } from '#web/lib/forms/pressed-key.ts';

/** Counts the rows for the button: those of the list with all of its other filters. */
export interface Counted {
  list: ListName;
  unit: string;
  queryWith: (value: string) => string;
}

const WEEK = ['一', '二', '三', '四', '五', '六', '日'];

/** The month `by` months after another: 2026-11. */
function monthAfter(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7);
}

/** The days of a month by weeks from Monday; undefined for days of other months. */
function daysIn(month: string): (string | undefined)[] {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const blanks = (new Date(Date.UTC(year, number - 1, 1)).getUTCDay() + 6) % 7;
  const days = Array.from({ length: count }, (_, i) => `${month}-${String(i + 1).padStart(2, '0')}`);
  return [...Array.from<undefined>({ length: blanks }), ...days];
}

function Month({
  month,
  first,
  last,
  today,
  onPick,
}: {
  month: string;
  first: string;
  last: string;
  today: string;
  onPick: (day: string) => void;
}) {
  const [year, number] = month.split('-');
  const isIn = (day: string) => first !== '' && day >= first && day <= (last || first);
  return (
    <div className="list-month" role="group" aria-label={`${year} 年 ${Number(number)} 月`}>
      <b>
        {year} 年 {Number(number)} 月
      </b>
      {WEEK.map((day) => (
        <i key={day}>{day}</i>
      ))}
      {daysIn(month).map((day, i) =>
        day === undefined ? (
          // oxlint-disable-next-line react/no-array-index-key -- blanks have nothing else
          <span key={i} />
        ) : (
          <button
            key={day}
            type="button"
            disabled={day > today}
            aria-label={day}
            aria-pressed={isIn(day)}
            className={cx(isIn(day) && 'list-day-in', (day === first || day === last) && 'list-day-end')}
            onClick={() => onPick(day)}
          >
            {Number(day.slice(8))}
          </button>
        ),
      )}
    </div>
  );
}

type RangeCheck = { text: string } | { error: string };

/** The range of two typed ends; the empty string when both are empty. */
function checkedRange(ends: readonly [string, string], now: Date): RangeCheck {
  const [a, b] = ends.map((end) => typedMoment(end, now));
  if (a === null || b === null) return { error: '时间可以写 11-16、11-16 18:00 或 昨天 18:00' };
  if (a === '' && b === '') return { text: '' };
  const text = `${a}~${b}`;
  return rangeOf(text, now) === null ? { error: '结束不能早于开始' } : { text };
}

/**
 * A range of days or times: presets by click or digit key, two typed ends, two months. The button shows the number of
 * resulting rows.
 */
export function DateEditor({
  name,
  value,
  now,
  counted,
  onApply,
}: {
  name: string;
  value: string;
  now: Date;
  counted: Counted;
  onApply: (value: string) => void;
}) {
  const [from, to] = isPreset(value) ? daysOf(value, now) : (value.split('~') as [string, string?]);
  const [ends, setEnds] = useState<readonly [string, string]>([from ?? '', to ?? '']);
  const [error, setError] = useState<string | null>(null);
  const range = checkedRange(ends, now);
  const count = useRowCount(counted.list, 'error' in range ? null : counted.queryWith(range.text));
  const today = chinaDay(now);
  const [month, setMonth] = useState(monthAfter((ends[1] || today).slice(0, 7), -1));
  const [first, last] = [ends[0].slice(0, 10), ends[1].slice(0, 10)];
  const pick = (day: string) => {
    setError(null);
    // One click selects that day, a second one extends it to a range, a third starts again.
    const isOne = first !== '' && first === last && day !== first;
    setEnds(isOne ? (day < first ? [day, first] : [first, day]) : [day, day]);
  };
  const apply = () => {
    if ('error' in range) setError(range.error);
    else onApply(range.text);
  };
  return (
    <form
      className="list-dates"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <div className="list-presets">
        {rangePresets.map(([key, text], i) => (
          <button key={key} type="button" aria-pressed={value === key} onClick={() => onApply(key)}>
            {text}
            <kbd className="kbd">{i + 1}</kbd>
          </button>
        ))}
      </div>
      <div
        className="grid gap-2 p-3"
        onKeyDown={(event) => {
          const preset = rangePresets[Number(pressedKey(event)) - 1];
          if (preset && !(event.target instanceof HTMLInputElement)) onApply(preset[0]);
        }}
      >
        <div className="flex items-center gap-2">
          {([0, 1] as const).map((side) => (
            <Fragment key={side}>
              {side === 1 && <span aria-hidden="true">至</span>}
              <Input
                small
                aria-label={side === 0 ? `${name}从` : `${name}到`}
                placeholder={side === 0 ? '如 11-16' : '如 昨天 18:00'}
                value={ends[side]}
                aria-invalid={error !== null || undefined}
                onChange={(e) => setEnds(side === 0 ? [e.target.value, ends[1]] : [ends[0], e.target.value])}
              />
            </Fragment>
          ))}
        </div>
        <FormError>{error}</FormError>
        <div className="relative flex gap-4">
          <Button
            size="sm"
            kind="ghost"
            icon
            className="absolute top-0 left-0"
            aria-label="上个月"
            onClick={() => setMonth(monthAfter(month, -1))}
          >
            <ChevronLeft className="icon" aria-hidden="true" />
          </Button>
          <Button
            size="sm"
            kind="ghost"
            icon
            className="absolute top-0 right-0"
            aria-label="下个月"
            onClick={() => setMonth(monthAfter(month, 1))}
          >
            <ChevronRight className="icon" aria-hidden="true" />
          </Button>
          <Month month={month} first={first} last={last} today={today} onPick={pick} />
          <span className="max-sm:hidden">
            <Month month={monthAfter(month, 1)} first={first} last={last} today={today} onPick={pick} />
          </span>
        </div>
        <div className="flex items-center gap-2 border-t border-line-soft pt-2">
          <span className="text-12 text-ink-3">按{name}，北京时间</span>
          <Button size="sm" className="ml-auto" onClick={() => onApply('')}>
            清除
          </Button>
          <Button size="sm" kind="primary" type="submit">
            {count === null ? '应用' : `看 ${countText(count.total, count.totalCapped)} ${counted.unit}`}
            <kbd className="kbd">↵</kbd>
          </Button>
        </div>
      </div>
    </form>
  );
}
