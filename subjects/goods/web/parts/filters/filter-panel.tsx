import { COMPANION_PLAY, isService } from '#subjects/orders/rules/order-types.ts';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Field } from '#subjects/games/contract/games.ts';
import {
  type Chosen,
  FREE_LABELS,
  type ListQuery,
  listPath,
  marksOf,
  VOICE_LABELS,
  withField,
  withService,
} from '#web/lib/lists/list-query.ts';
import type { Named } from '#web/lib/lists/search-state.ts';
import { cx } from '#web/ui/class-names.ts';
import { FieldRow } from './field-row.tsx';
import { type FilterOption, FilterRow } from './filter-row.tsx';
import { RangeFilter } from './range-filter.tsx';

/** The available filters, from the loader. */
export interface FilterChoices {
  games: readonly Named[];
  types: readonly Named[];
  areas: readonly Named[];
  servers: readonly Named[];
  fields: readonly Field[];
}

/**
 * Number of field rows that are always visible; the others appear with 'all conditions', or when one of them is set.
 */
const OPEN_FIELDS = 2;
const OPEN_RANGES = 3;
const OPEN_FLAGS = 3;

/** Predefined price ranges, in yuan. */
const PRICES: readonly [min: string, max: string, label: string][] = [
  ['', '', '不限'],
  ['', '300', '300 内'],
  ['300', '1000', '300–1,000'],
  ['1000', '3000', '1,000–3,000'],
  ['3000', '', '3,000 以上'],
];
/** Those of services, which are sold by the hour or by the step. */
const SERVICE_PRICES: typeof PRICES = [
  ['', '', '不限'],
  ['', '30', '30 内'],
  ['30', '60', '30–60'],
  ['60', '200', '60–200'],
  ['200', '', '200 以上'],
];

const isNo = (chosen: Chosen | undefined): boolean => chosen?.kind === 'one' && chosen.value === '0';

type Set = (next: ListQuery) => void;

function idRow(label: string, choices: readonly Named[], current: number | null, to: (id: number | null) => ListQuery) {
  const options: FilterOption[] = [
    { key: 'all', label: '不限', to: listPath(to(null)), chosen: current === null },
    ...choices.map(({ id, name }) => ({ key: String(id), label: name, to: listPath(to(id)), chosen: id === current })),
  ];
  return <FilterRow label={label} options={options} />;
}

function NumbersRow({ fields, state, go }: { fields: readonly Field[]; state: ListQuery; go: Set }) {
  if (fields.length === 0) return null;
  return (
    <div className="filter-row" role="group" aria-label="数量">
      <span className="filter-label">数量</span>
      <div className="filter-options gap-x-5! gap-y-2!">
        {fields.map((field) => {
          const chosen = state.fields.get(field.key);
          const { min, max } = chosen?.kind === 'range' ? chosen : { min: '', max: '' };
          return (
            <RangeFilter
              key={field.key}
              label={field.label}
              unit={field.unit}
              min={min}
              max={max}
              onChange={(from, to) =>
                go(withField(state, field.key, from || to ? { kind: 'range', min: from, max: to } : null))
              }
            />
          );
        })}
      </div>
    </div>
  );
}

function PriceRow({ state, go }: { state: ListQuery; go: Set }) {
  const priced = (min: string, max: string) => ({ ...state, min, max });
  return (
    <div className="filter-row" role="group" aria-label="价格">
      <span className="filter-label">全包价</span>
      <div className="filter-options">
        {(isService(state.gt ?? 0) ? SERVICE_PRICES : PRICES).map(([min, max, label]) => {
          const on = state.min === min && state.max === max;
          return (
            <Link
              key={label}
              to={listPath(priced(min, max))}
              preventScrollReset
              rel="nofollow"
              className={cx('pick', on && 'pick-on')}
              aria-current={on ? 'true' : undefined}
            >
              {label}
            </Link>
          );
        })}
        <RangeFilter
          label="全包价"
          unit="元"
          bare
          decimals
          min={state.min}
          max={state.max}
          onChange={(min, max) => go(priced(min, max))}
        />
      </div>
    </div>
  );
}

/** A choice among named values, or none. */
function namedRow<T extends string>(
  label: string,
  names: Readonly<Record<T, string>>,
  current: T | null,
  to: (value: T | null) => ListQuery,
) {
  const values = Object.keys(names) as T[];
  const options: FilterOption[] = [
    { key: 'all', label: '不限', to: listPath(to(null)), chosen: current === null },
    ...values.map((value) => ({
      key: value,
      label: names[value],
      to: listPath(to(value)),
      chosen: value === current,
    })),
  ];
  return <FilterRow label={label} options={options} />;
}

function ServiceRow({ state, fields, extra }: { state: ListQuery; fields: readonly Field[]; extra: ReactNode }) {
  const flags = [
    ...marksOf(state).map(({ name, label }) => ({
      key: name as string,
      label,
      on: state.services.has(name),
      to: withService(state, name),
    })),
    ...fields.map(({ key, label }) => {
      const on = state.fields.has(key);
      return { key, label, on, to: withField(state, key, on ? null : { kind: 'one' as const, value: '1' }) };
    }),
  ];
  return (
    <div className="filter-row" role="group" aria-label="服务">
      <span className="filter-label">服务</span>
      <div className="filter-options gap-x-5!">
        {flags.map(({ key, label, on, to }) => (
          <Link
            key={key}
            to={listPath(to)}
            preventScrollReset
            rel="nofollow"
            role="checkbox"
            aria-checked={on}
            className="mark"
          >
            {label}
          </Link>
        ))}
      </div>
      {extra}
    </div>
  );
}

/** All filters of the list as rows of choices. Every choice is a link, so the panel works before hydration. */
export function FilterPanel({ state, choices }: { state: ListQuery; choices: FilterChoices }) {
  const navigate = useNavigate();
  const [all, setAll] = useState(false);
  const go: Set = (next) => void navigate(listPath(next), { preventScrollReset: true });
  const optional = choices.fields.filter(({ filterable, kind }) => filterable && kind !== 'text');
  const lists = optional.filter(({ kind }) => kind === 'single' || kind === 'multi' || kind === 'item_count');
  const ranges = optional.filter(({ kind }) => kind === 'range');
  const yesNo = optional.filter(({ kind }) => kind === 'bool');
  const isVisible = (field: Field, index: number, open: number) => all || index < open || state.fields.has(field.key);
  // A badge only offers yes; with all conditions open, or once 'no' was chosen, it is a row with both options.
  const visibleYesNo = yesNo.filter(({ key }) => all || isNo(state.fields.get(key)));
  const hidden =
    Math.max(0, lists.length - OPEN_FIELDS) +
    Math.max(0, ranges.length - OPEN_RANGES) +
    Math.max(0, yesNo.length - OPEN_FLAGS);
  return (
    <div className="filters">
      {state.gid === null && idRow('游戏', choices.games, null, (gid) => ({ ...state, gid }))}
      {choices.types.length > 1 && idRow('类型', choices.types, state.gt, (gt) => ({ ...state, gt }))}
      {choices.areas.length > 0 &&
        idRow('大区', choices.areas, state.areaId, (areaId) => ({ ...state, areaId, serverId: null }))}
      {choices.servers.length > 0 &&
        idRow('服务器', choices.servers, state.serverId, (serverId) => ({ ...state, serverId }))}
      {lists
        .filter((field, i) => isVisible(field, i, OPEN_FIELDS))
        .map((field) => (
          <FieldRow key={field.key} field={field} state={state} go={go} />
        ))}
      {visibleYesNo.map((field) => (
        <FieldRow key={field.key} field={field} state={state} go={go} />
      ))}
      <NumbersRow fields={ranges.filter((field, i) => isVisible(field, i, OPEN_RANGES))} state={state} go={go} />
      {state.gt === COMPANION_PLAY && (
        <>
          {namedRow('时间', FREE_LABELS, state.free, (free) => ({ ...state, free }))}
          {namedRow('声音', VOICE_LABELS, state.voice, (voice) => ({ ...state, voice }))}
        </>
      )}
      <PriceRow state={state} go={go} />
      <ServiceRow
        state={state}
        fields={all ? [] : yesNo.filter((field, i) => isVisible(field, i, OPEN_FLAGS) && !visibleYesNo.includes(field))}
        extra={
          hidden > 0 && (
            <button type="button" className="filters-all" aria-expanded={all} onClick={() => setAll(!all)}>
              {all ? '收起条件' : `更多筛选（${hidden}）`}
              <ChevronDown className={cx('icon size-3.5', all && 'rotate-180')} aria-hidden="true" />
            </button>
          )
        }
      />
    </div>
  );
}
