import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { clockText, hoursProblem, hoursText, type OpenRange, weekDays } from '../rules/opening-hours.ts';
import type { SendOptions } from '#web/lib/api/mutation.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { BackButton, Dialog } from '#web/ui/overlays/dialog.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Select } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

const STEP = 30;
const DAY = 1440;
/** Maximum number of ranges per day. */
const MAX_A_DAY = 3;
const DEFAULT_RANGE = { fromMinute: 600, toMinute: DAY };

/** Half hours to choose from; a saved time that is not a half hour is added. */
function times(first: number, last: number, own: number): number[] {
  const steps = Array.from({ length: (last - first) / STEP + 1 }, (_, i) => first + i * STEP);
  return steps.includes(own) ? steps : [...steps, own].toSorted((a, b) => a - b);
}

function Time({
  label,
  value,
  end,
  onChange,
}: {
  label: string;
  value: number;
  end: boolean;
  onChange: (minute: number) => void;
}) {
  return (
    <Select
      aria-label={label}
      className="w-20 max-md:pr-6 max-md:pl-2 md:w-24"
      value={value}
      onChange={(event) => onChange(Number(event.target.value))}
    >
      {(end ? times(STEP, DAY, value) : times(0, DAY - STEP, value)).map((minute) => (
        <option key={minute} value={minute}>
          {clockText(minute)}
        </option>
      ))}
    </Select>
  );
}

function Day({
  day,
  ranges,
  onChange,
}: {
  day: number;
  ranges: readonly OpenRange[];
  onChange: (own: OpenRange[]) => void;
}) {
  const name = weekDays[day] ?? '';
  const add = (
    <Button
      kind="ghost"
      size="sm"
      icon
      className="max-md:w-10 max-md:flex-none"
      aria-label={`${name}添加时段`}
      title="添加时段"
      onClick={() => onChange([...ranges, { day, ...DEFAULT_RANGE }])}
    >
      <Plus className="icon" aria-hidden="true" />
    </Button>
  );
  return (
    <li className="grid grid-cols-[28px_minmax(0,1fr)] gap-x-3 border-b md:grid-cols-[44px_minmax(0,1fr)] border-line-soft py-1.5 last:border-b-0">
      <span className="pt-2 text-13">{name}</span>
      <span className="grid gap-1.5">
        {ranges.map((range, i) => {
          const update = (change: Partial<OpenRange>) =>
            onChange(ranges.map((one, j) => (i === j ? { ...one, ...change } : one)));
          return (
            <span key={i} className="flex flex-wrap items-center gap-x-1.5 gap-y-1 text-13 md:gap-x-2">
              <Time
                label={`${name}第 ${i + 1} 段开始`}
                value={range.fromMinute}
                end={false}
                onChange={(fromMinute) => update({ fromMinute })}
              />
              至
              <Time
                label={`${name}第 ${i + 1} 段结束`}
                value={range.toMinute}
                end
                onChange={(toMinute) => update({ toMinute })}
              />
              <Button
                kind="ghost"
                size="sm"
                icon
                className="max-md:w-10 max-md:flex-none"
                aria-label={`删除${name}第 ${i + 1} 段`}
                onClick={() => onChange(ranges.filter((_, j) => j !== i))}
              >
                <X className="icon" aria-hidden="true" />
              </Button>
              {i === ranges.length - 1 && ranges.length < MAX_A_DAY && add}
            </span>
          );
        })}
        {ranges.length === 0 && (
          <span className="flex min-h-9 items-center gap-3 text-13 text-ink-3">
            休息
            {add}
          </span>
        )}
      </span>
    </li>
  );
}

/**
 * The hours in which a shop or a companion takes orders, by weekday; no hours at all = always open. They take effect immediately. `note`
 * describes what applies outside them.
 */
export function HoursDialog({
  title,
  hours,
  note,
  send,
  onClose,
  onDone,
}: {
  title: string;
  hours: readonly OpenRange[];
  note: string;
  send: (hours: OpenRange[], options: SendOptions) => Promise<unknown>;
  onClose: () => void;
  onDone: () => void;
}) {
  const [ranges, setRanges] = useState<readonly OpenRange[]>(hours);
  const { busy, error, submit } = useMutation(({ hours: own }: { hours: OpenRange[] }, options) => send(own, options), {
    check: () => ({ send: hoursProblem(ranges) ?? undefined }),
    done: () => {
      toast(`${title}已保存`, 'ok');
      onDone();
    },
  });
  const of = (day: number) => ranges.filter((r) => r.day === day);
  const first = weekDays.findIndex((_, day) => of(day).length > 0);
  return (
    <Dialog title={title} onClose={onClose} closeOnBackdrop={false}>
      <form noValidate className="grid gap-3" onSubmit={submit(() => ({ hours: [...ranges] }))}>
        <p className="text-13 text-ink-2" aria-live="polite">
          {ranges.length === 0 ? '没有设置时段：全天。' : hoursText(ranges) || '全天'}
        </p>
        <ul>
          {weekDays.map((name, day) => (
            <Day
              key={name}
              day={day}
              ranges={of(day)}
              onChange={(own) => setRanges([...ranges.filter((r) => r.day !== day), ...own])}
            />
          ))}
        </ul>
        <p className="text-12 text-ink-3">{note}</p>
        <FormError>{error}</FormError>
        <div className="flex flex-wrap justify-end gap-2">
          <span className="mr-auto flex gap-2">
            {first >= 0 && (
              <Button
                kind="ghost"
                onClick={() => setRanges(weekDays.flatMap((_, day) => of(first).map((r) => ({ ...r, day }))))}
              >
                全周同{weekDays[first]}
              </Button>
            )}
            {ranges.length > 0 && (
              <Button kind="ghost" onClick={() => setRanges([])}>
                改为全天
              </Button>
            )}
          </span>
          <BackButton disabled={busy}>返回</BackButton>
          <Button type="submit" kind="primary" busy={busy}>
            保存
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
