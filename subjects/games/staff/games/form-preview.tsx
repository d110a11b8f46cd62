import { ChevronLeft } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Field } from '#subjects/games/contract/games.ts';
import { boolLabels } from '../../rules/attr-text.ts';
import { choosable } from '../../rules/attrs.ts';
import { gameIconUrl } from '../../rules/game-icon.ts';
import { AttrFieldControl } from '../../web/parts/attrs/attr-field.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Chip } from '#web/ui/tag.tsx';
import type { GameForm } from './use-game-form.ts';

/** The form of a goods type as sellers see it. */
function sellerForm(form: GameForm, typeId: number): Field[] {
  return form.doc.fields
    .filter((f) => !f.retired && f.goodsTypes.includes(typeId))
    .map(({ aliases: _aliases, typical: _typical, options, ...field }, sort) => ({
      ...field,
      sort,
      ...(options && { options: options.filter((o) => !o.retired).map(({ v, label }) => ({ v, label })) }),
    })) as Field[];
}

/** A value as a card shows it; an example if nothing is selected in the preview. */
function sample(field: Field, value: unknown): string {
  const labels = (field.options ?? []).map((o) => o.label).filter((label) => label !== '');
  const one = field.options?.find((o) => String(o.v) === String(value))?.label ?? labels[0] ?? '';
  if (field.kind === 'single') return one;
  if (field.kind === 'multi')
    return Array.isArray(value) && value.length > 0 ? String(value.length) : labels.slice(0, 2).join('、');
  if (field.kind === 'bool') return boolLabels(field)[value === false ? 1 : 0];
  if (field.kind === 'range')
    return `${typeof value === 'string' && value !== '' ? value : (field.max ?? field.min ?? 0)}${field.unit ?? ''}`;
  if (field.kind === 'item_count') return labels[0] === undefined ? '' : `${labels[0]} ×1`;
  return typeof value === 'string' && value !== '' ? value : '…';
}

const FILTER_OPTIONS = 6;

/** The filters of the list, as buyers see them. */
function Filters({ fields }: { fields: readonly Field[] }) {
  const filters = fields.filter((f) => f.filterable);
  if (filters.length === 0) return <p className="text-12 text-ink-3">没有做成筛选的项</p>;
  return (
    <ul className="grid gap-1 text-12">
      {filters.map((field) => (
        <li key={field.key} className="flex flex-wrap gap-x-2">
          <span className="text-ink-3">{field.label}</span>
          {field.kind === 'range' ? (
            <span>
              {field.min ?? 0} — {field.max ?? '不限'}
              {field.unit}
            </span>
          ) : field.kind === 'bool' ? (
            <span>{boolLabels(field).join('　')}</span>
          ) : (
            <>
              {choosable(field, undefined)
                .options?.slice(0, FILTER_OPTIONS)
                .map(({ v, label }) => (
                  <span key={String(v)}>{label}</span>
                ))}
              {(field.options?.length ?? 0) > FILTER_OPTIONS && <span className="text-link">更多</span>}
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Preview of the draft: the seller's form with its real controls, a card, the filters. Input in the preview is not stored. */
export function FormPreview({ form, typeId, chosen }: { form: GameForm; typeId: number; chosen: string | null }) {
  const [values, setValues] = useState<Record<string, unknown>>({});
  const box = useRef<HTMLDivElement>(null);
  const fields = sellerForm(form, typeId);
  const { doc } = form;
  const type = doc.goodsTypes.find(({ id }) => id === typeId)?.name ?? '';
  useEffect(() => {
    const scroller = box.current;
    const target = scroller?.querySelector<HTMLElement>('[data-chosen]');
    if (scroller && target) scroller.scrollTop = target.offsetTop - 60;
  }, [chosen]);
  return (
    <section className="panel min-w-0 xl:sticky xl:top-14 max-xl:lg:col-span-2" aria-label="预览">
      <div className="flex items-center gap-2 border-b border-line-soft px-4 py-2.5">
        <h2 className="text-14 font-semibold">预览</h2>
        <span className="text-12 text-ink-3">随填随变，填在这里的不保存</span>
      </div>
      <div className="grid gap-3 p-3">
        <div className="mx-auto w-full max-w-80 overflow-hidden rounded-[20px] border border-line-strong bg-page">
          <p className="flex items-center gap-1.5 px-3.5 pt-2.5 text-14 font-semibold">
            <ChevronLeft className="icon" aria-hidden="true" />
            发布{type}，{doc.name}
          </p>
          <div ref={box} className="relative grid h-110 content-start gap-2 overflow-y-auto p-3">
            {fields.length === 0 && (
              <p className="p-3 text-13 text-ink-3">这种商品还没有填写项，卖家只写标题、描述和价格。</p>
            )}
            {fields.map((field) => (
              <div
                key={`${field.key} ${field.kind}`}
                data-chosen={field.key === chosen || undefined}
                className={cx(
                  'rounded-card border bg-panel px-2.5 py-2',
                  field.key === chosen ? 'border-brand-600 shadow-[0_0_0_3px_var(--brand-50)]' : 'border-line',
                )}
              >
                <AttrFieldControl
                  field={field}
                  value={values[field.key]}
                  error={undefined}
                  onChange={(value) => setValues({ ...values, [field.key]: value })}
                />
              </div>
            ))}
          </div>
        </div>
        <div className="flex gap-2.5 rounded-card border border-line p-2.5">
          <img
            src={gameIconUrl({ ...doc, hue: Number.isFinite(doc.hue) ? doc.hue : 0 })}
            alt=""
            width={48}
            height={48}
            className="size-12 flex-none rounded-control"
          />
          <div className="min-w-0">
            <p className="truncate text-13">
              {fields
                .filter((f) => f.inCard)
                .map((f) => sample(f, values[f.key]))
                .join(' ') || '标题由卖家写'}
            </p>
            <div className="mt-1 flex flex-wrap gap-1">
              {fields
                .filter((f) => f.inCard)
                .slice(0, 5)
                .map((f) => (
                  <Chip key={f.key} name={f.label}>
                    {sample(f, values[f.key])}
                  </Chip>
                ))}
            </div>
          </div>
        </div>
        <div className="rounded-card border border-line p-2.5">
          <Filters fields={fields} />
        </div>
      </div>
    </section>
  );
}
