import type { FormEvent } from 'react';
import type { Field } from '#subjects/games/contract/games.ts';
import { boolLabels } from '#subjects/games/rules/attr-text.ts';
import { type Chosen, type ListQuery, listPath, type Mode, toggled, withField } from '#web/lib/lists/list-query.ts';
import { FilterRow } from './filter-row.tsx';
import { Input } from '#web/ui/forms/input.tsx';

type Many = Extract<Chosen, { kind: 'many' }>;
type Change = (change: Partial<Many>) => void;

/**
 * How many of the chosen options a listing must have; displayed once two are chosen, 'at least' once there is a choice
 * of numbers.
 */
function ModeSwitch({ many, onChange }: { many: Many; onChange: Change }) {
  const chosen = many.values.length;
  if (chosen < 2) return null;
  const modes: readonly (readonly [Mode, string])[] = [
    ['all', '全部满足'],
    ['any', '任一'],
  ];
  const counts = Array.from({ length: chosen - 2 }, (_, i) => i + 2);
  return (
    <span className="segments" role="group" aria-label="满足方式">
      {modes.map(([value, label]) => (
        <button key={label} type="button" aria-pressed={many.mode === value} onClick={() => onChange({ mode: value })}>
          {label}
        </button>
      ))}
      {counts.map((count) => (
        <button key={count} type="button" aria-pressed={many.mode === count} onClick={() => onChange({ mode: count })}>
          至少 {count}
        </button>
      ))}
    </span>
  );
}

/** The minimum count of each item; reloads the list on blur or Enter. */
function CountField({ label, many, onChange }: { label: string; many: Many; onChange: Change }) {
  const apply = (text: string) => {
    const count = /^[1-9]\d{0,5}$/.test(text.trim()) ? Number(text) : 1;
    if (count !== many.count) onChange({ count });
  };
  return (
    <form
      className="range-filter"
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget).get('count');
        if (typeof typed === 'string') apply(typed);
      }}
    >
      <span className="whitespace-nowrap">每样至少</span>
      <Input
        small
        key={many.count}
        name="count"
        defaultValue={many.count}
        className="w-14 text-center"
        inputMode="numeric"
        aria-label={`${label}每样至少`}
        onBlur={(event) => apply(event.target.value)}
      />
    </form>
  );
}

/** The filter of one of the game's own fields: a single option, yes or no, or several with their mode. */
export function FieldRow({ field, state, go }: { field: Field; state: ListQuery; go: (next: ListQuery) => void }) {
  const chosen = state.fields.get(field.key);
  if (field.kind === 'multi' || field.kind === 'item_count') {
    const many = chosen?.kind === 'many' ? chosen : null;
    const options = (field.options ?? []).map(({ v, label }) => ({
      key: String(v),
      label,
      to: listPath(toggled(state, field.key, String(v), field.multiModes ? 'all' : 'any')),
      chosen: many?.values.includes(String(v)) ?? false,
    }));
    const change: Change = (part) => many && go(withField(state, field.key, { ...many, ...part }));
    const extra = many && (
      <>
        {field.multiModes && <ModeSwitch many={many} onChange={change} />}
        {field.kind === 'item_count' && <CountField label={field.label} many={many} onChange={change} />}
      </>
    );
    return <FilterRow label={field.label} options={options} extra={extra} />;
  }
  const choices =
    field.kind === 'bool'
      ? [
          { v: '1', label: boolLabels(field)[0] },
          { v: '0', label: boolLabels(field)[1] },
        ]
      : (field.options ?? []);
  const current = chosen?.kind === 'one' ? chosen.value : null;
  const options = [
    { key: '', label: '不限', to: listPath(withField(state, field.key, null)), chosen: current === null },
    ...choices.map(({ v, label }) => ({
      key: String(v),
      label,
      to: listPath(withField(state, field.key, { kind: 'one', value: String(v) })),
      chosen: String(v) === current,
    })),
  ];
  return <FilterRow label={field.label} options={options} />;
}
