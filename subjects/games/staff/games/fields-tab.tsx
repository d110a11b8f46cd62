import { ArrowDown, ArrowUp, Check, Plus } from 'lucide-react';
import { useState } from 'react';
import type { FieldDoc } from '#subjects/games/contract/game-doc.ts';
import { isListed } from '../../rules/game-check.ts';
import { fieldKindNames } from '../../rules/game-diff.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { FormError } from '#web/ui/forms/field.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { useHotkeys } from '#subjects/back-office/staff/parts/use-hotkeys.ts';
import { FieldForm } from './field-form.tsx';
import { FormPreview } from './form-preview.tsx';
import type { GameForm } from './use-game-form.ts';

/** A short description of a field. */
function kindText({ kind, options = [], min, max, unit }: FieldDoc): string {
  const open = options.filter((o) => !o.retired).length;
  if (isListed(kind)) return `${fieldKindNames[kind]} ${open} 项`;
  const bounds = min !== undefined || max !== undefined ? ` ${min ?? ''} 到 ${max ?? ''}` : '';
  return `${fieldKindNames[kind]}${bounds}${unit ?? ''}`;
}

/** Returns a key that no field uses. */
function freeKey(fields: readonly FieldDoc[]): string {
  for (let n = fields.length + 1; ; n++) if (!fields.some(({ key }) => key === `item_${n}`)) return `item_${n}`;
}

function Tick({ on, label, onToggle }: { on: boolean; label: string; onToggle: () => void }) {
  return (
    <button
      type="button"
      className={cx(
        'grid h-8 w-9 place-items-center rounded-control hover:bg-hover',
        on ? 'text-brand-600' : 'text-ink-4',
      )}
      aria-pressed={on}
      aria-label={label}
      onClick={onToggle}
    >
      {on ? <Check className="icon size-3.5" aria-hidden="true" /> : <span className="text-12">·</span>}
    </button>
  );
}

interface RowProps {
  field: FieldDoc;
  mark: 'new' | 'changed' | null;
  faults: number;
  isChosen: boolean;
  onChoose: () => void;
  onChange: (part: Partial<FieldDoc>) => void;
  move: { up: (() => void) | null; down: (() => void) | null };
}

function FieldLine({ field, mark, faults, isChosen, onChoose, onChange, move }: RowProps) {
  const canFilter = field.kind !== 'text';
  return (
    <li
      className={cx(
        'group grid h-9 grid-cols-[40px_minmax(0,1fr)_92px_36px_36px] items-center border-b border-line-soft pr-2',
        isChosen && 'bg-brand-50 shadow-[inset_3px_0_0_var(--act)]',
        field.retired && 'text-ink-3',
      )}
    >
      <span className="flex opacity-0 group-focus-within:opacity-100 group-hover:opacity-100">
        <button
          type="button"
          className="grid h-8 w-5 place-items-center disabled:opacity-30"
          aria-label={`${field.label}上移`}
          disabled={move.up === null}
          onClick={() => move.up?.()}
        >
          <ArrowUp className="icon size-3" aria-hidden="true" />
        </button>
        <button
          type="button"
          className="grid h-8 w-5 place-items-center disabled:opacity-30"
          aria-label={`${field.label}下移`}
          disabled={move.down === null}
          onClick={() => move.down?.()}
        >
          <ArrowDown className="icon size-3" aria-hidden="true" />
        </button>
      </span>
      <button
        type="button"
        className={cx('flex h-full min-w-0 items-center gap-1.5 text-left', isChosen && 'font-semibold')}
        aria-current={isChosen || undefined}
        onClick={onChoose}
      >
        <span className={cx('truncate', field.retired && 'line-through')}>{field.label || '未命名'}</span>
        {field.required && !field.retired && <span className="text-danger">*</span>}
        {faults > 0 ? (
          <Tag tone="danger">{faults} 处有误</Tag>
        ) : (
          mark && <Tag {...(mark === 'changed' && { tone: 'attn' })}>{mark === 'new' ? '新' : '改'}</Tag>
        )}
      </button>
      <span className="truncate text-12 text-ink-3">{kindText(field)}</span>
      {canFilter ? (
        <Tick
          on={field.filterable && !field.retired}
          label={`${field.label}做成筛选`}
          onToggle={() => onChange({ filterable: !field.filterable })}
        />
      ) : (
        <span />
      )}
      <Tick
        on={field.inCard && !field.retired}
        label={`${field.label}显示在卡片`}
        onToggle={() => onChange({ inCard: !field.inCard })}
      />
    </li>
  );
}

/** The goods type whose form is edited. */
function TypeBar({ form, typeId, onType }: { form: GameForm; typeId: number; onType: (id: number) => void }) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <span className="segments" role="group" aria-label="商品类型">
        {form.doc.goodsTypes.map(({ id, name }) => (
          <button key={id} type="button" aria-pressed={id === typeId} onClick={() => onType(id)}>
            {name}
          </button>
        ))}
      </span>
      <span className="text-12 text-ink-3 max-md:hidden">J K 换一项</span>
    </div>
  );
}

/** The fields of a goods type, the selected one, and next to them the view of sellers and buyers. */
export function FieldsTab({ form }: { form: GameForm }) {
  const { doc, errors, change, info } = form;
  const [typeId, setType] = useState(doc.defaultType);
  const [chosen, setChosen] = useState<string | null>(null);
  const [showsRetired, setShowsRetired] = useState(false);
  const was = new Map(info.doc.fields.map((f) => [f.key, f]));
  const ofType = doc.fields.flatMap((field, at) => (field.goodsTypes.includes(typeId) ? [{ field, at }] : []));
  const lost = doc.fields.flatMap((field, at) => (field.goodsTypes.length === 0 ? [{ field, at }] : []));
  const visible = [...ofType, ...lost].filter(({ field }) => showsRetired || !field.retired);
  const retired = ofType.filter(({ field }) => field.retired).length;
  const current = visible.find(({ field }) => field.key === chosen) ?? visible[0];
  const set = (at: number, part: Partial<FieldDoc>) =>
    change({ fields: doc.fields.map((f, i) => (i === at ? { ...f, ...part } : f)) });
  /** Exchanges two fields of this type; fields of other types between them do not move. */
  const swap = (a: number, b: number) => {
    const fields = [...doc.fields];
    const [x, y] = [fields[a], fields[b]];
    if (x && y) [fields[a], fields[b]] = [y, x];
    change({ fields });
  };
  const at = visible.findIndex(({ field }) => field.key === current?.field.key);
  const go = (by: number) => setChosen(visible[at + by]?.field.key ?? current?.field.key ?? null);
  useHotkeys({ j: () => go(1), k: () => go(-1) });
  const add = () => {
    const key = freeKey(doc.fields);
    const field: FieldDoc = {
      key,
      label: '',
      kind: 'single',
      options: [{ v: 1, label: '' }],
      required: false,
      inCard: false,
      filterable: true,
      goodsTypes: [typeId],
    };
    change({ fields: [...doc.fields, field] });
    setChosen(key);
  };
  const faultsOf = (i: number) =>
    Object.keys(errors).filter((path) => path.startsWith(`fields.${i}.`) && errors[path]).length;
  return (
    <div className="grid gap-3">
      <TypeBar form={form} typeId={typeId} onType={setType} />
      <div className="grid items-start gap-3 xl:grid-cols-[400px_minmax(0,1fr)_352px] max-xl:lg:grid-cols-[380px_minmax(0,1fr)]">
        <section className="panel min-w-0" aria-label="填写项">
          <div className="flex items-center gap-2 border-b border-line-soft px-4 py-2.5">
            <h2 className="text-14 font-semibold">填写项</h2>
            <span className="text-12 text-ink-3">
              {visible.filter(({ field }) => !field.retired).length} 项，
              {visible.filter(({ field }) => field.required && !field.retired).length} 项必填
            </span>
            <Button size="sm" kind="ghost" className="ml-auto" onClick={add}>
              <Plus className="icon size-3.5" aria-hidden="true" />
              加一项
            </Button>
          </div>
          <div className="grid h-7 grid-cols-[40px_minmax(0,1fr)_92px_36px_36px] items-center border-b border-line-soft pr-2 text-12 text-ink-3">
            <span />
            <span>名称</span>
            <span>类型</span>
            <span className="text-center">筛选</span>
            <span className="text-center">卡片</span>
          </div>
          {visible.length === 0 && <EmptyState title="还没有填写项">加一项，卖家发布时就会看到。</EmptyState>}
          <ul>
            {visible.map(({ field, at: own }, i) => {
              const before = was.get(field.key);
              return (
                <FieldLine
                  key={field.key}
                  field={field}
                  mark={
                    before === undefined ? 'new' : JSON.stringify(before) === JSON.stringify(field) ? null : 'changed'
                  }
                  faults={faultsOf(own)}
                  isChosen={field.key === current?.field.key}
                  onChoose={() => setChosen(field.key)}
                  onChange={(part) => set(own, part)}
                  move={{
                    up: visible[i - 1] ? () => swap(own, visible[i - 1]?.at ?? own) : null,
                    down: visible[i + 1] ? () => swap(own, visible[i + 1]?.at ?? own) : null,
                  }}
                />
              );
            })}
          </ul>
          <FormError>{errors.fields}</FormError>
          {retired > 0 && (
            <button
              type="button"
              className="px-4 py-2 text-12 text-link"
              aria-pressed={showsRetired}
              onClick={() => setShowsRetired(!showsRetired)}
            >
              {showsRetired ? '收起' : '看'}停用的 {retired} 项
            </button>
          )}
        </section>
        {current ? (
          <FieldForm
            key={current.at}
            form={form}
            at={current.at}
            typeId={typeId}
            onKey={setChosen}
            onRemove={() => change({ fields: doc.fields.filter((_, i) => i !== current.at) })}
          />
        ) : (
          <div />
        )}
        <FormPreview form={form} typeId={typeId} chosen={current?.field.key ?? null} />
      </div>
    </div>
  );
}
