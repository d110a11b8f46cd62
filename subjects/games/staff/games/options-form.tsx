import { ClipboardPaste, Plus } from 'lucide-react';
import { useState } from 'react';
import type { OptionDoc } from '#subjects/games/contract/game-doc.ts';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { FormError } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { RowButtons } from '#subjects/back-office/staff/parts/form/row-buttons.tsx';
import { PasteDialog } from './inputs.tsx';

/** The next free number; listings store the value, so it is never reused. */
const nextValue = (options: readonly OptionDoc[]): number =>
  Math.max(0, ...options.map(({ v }) => (typeof v === 'number' ? v : 0))) + 1;

/** Adds options by name, one per line; existing names are skipped. */
function pasteOptions(options: readonly OptionDoc[], text: string): { options: OptionDoc[]; known: number } {
  const next = options.filter(({ label }) => label !== '');
  let known = 0;
  for (const line of text.split(/[\r\n、,，\t]+/)) {
    const label = line.normalize('NFC').trim();
    if (label === '') continue;
    if (next.some((o) => o.label === label)) known += 1;
    else next.push({ v: nextValue([...options, ...next]), label });
  }
  return { options: next, known };
}

const aliasesOf = (text: string): string[] =>
  text
    .split(/[、,，]/)
    .map((s) => s.trim())
    .filter((s) => s !== '');

/** The options of a field: named, ordered, retired. Listings store the value, so a name may change at any time. */
export function OptionsForm({
  options,
  known,
  error,
  onChange,
}: {
  options: readonly OptionDoc[];
  /** Published values: they are retired instead of removed. */
  known: ReadonlySet<string>;
  error: (path: string) => Message | undefined;
  onChange: (options: OptionDoc[]) => void;
}) {
  const [pasting, setPasting] = useState(false);
  const set = (at: number, next: OptionDoc) => onChange(options.map((o, i) => (i === at ? next : o)));
  const { length } = options.filter((o) => !o.retired);
  return (
    <div>
      <p className="mb-1 text-13 font-medium">选项 {length} 个</p>
      <div className="rounded-control border border-line">
        <div className="grid grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)_auto] gap-2 border-b border-line-soft bg-sunken px-2.5 py-1 text-12 text-ink-3">
          <span>名称</span>
          <span>别名</span>
          <span className="w-28" />
        </div>
        <ul className="max-h-96 overflow-y-auto">
          {options.map((option, at) => {
            const isKnown = known.has(String(option.v));
            const fault = error(`options.${at}.label`) ?? error(`options.${at}.v`);
            return (
              <li key={String(option.v)} className="border-b border-line-soft px-2.5 py-1">
                <div className="grid grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)_auto] items-center gap-2">
                  <span className="flex items-center gap-1">
                    <Input
                      small
                      className={cx('min-w-0 flex-1', option.retired && 'text-ink-3 line-through')}
                      aria-label={`第 ${at + 1} 个选项的名称`}
                      aria-invalid={fault ? true : undefined}
                      maxLength={40}
                      value={option.label}
                      onChange={(e) => set(at, { ...option, label: e.target.value })}
                    />
                    {!isKnown && <Tag>新</Tag>}
                  </span>
                  <Input
                    key={`${option.v}-${(option.aliases ?? []).length}`}
                    small
                    aria-label={`${option.label}的别名`}
                    defaultValue={(option.aliases ?? []).join('、')}
                    onBlur={(e) => {
                      const aliases = aliasesOf(e.target.value);
                      const { aliases: _before, ...rest } = option;
                      if (aliases.join() !== (option.aliases ?? []).join())
                        set(at, { ...rest, ...(aliases.length > 0 && { aliases }) });
                    }}
                  />
                  <span className="flex w-28 items-center justify-end">
                    {isKnown && (
                      <Button
                        size="sm"
                        kind="ghost"
                        onClick={() => {
                          const { retired, ...rest } = option;
                          set(at, retired ? rest : { ...option, retired: true });
                        }}
                      >
                        {option.retired ? '恢复' : '停用'}
                      </Button>
                    )}
                    <RowButtons
                      list={options}
                      index={at}
                      name={option.label}
                      removable={!isKnown}
                      onChange={onChange}
                    />
                  </span>
                </div>
                <FormError>{fault}</FormError>
              </li>
            );
          })}
        </ul>
        <div className="flex gap-2 px-2.5 py-1.5">
          <Button size="sm" kind="ghost" onClick={() => onChange([...options, { v: nextValue(options), label: '' }])}>
            <Plus className="icon size-3.5" aria-hidden="true" />
            加选项
          </Button>
          <Button size="sm" kind="ghost" onClick={() => setPasting(true)}>
            <ClipboardPaste className="icon size-3.5" aria-hidden="true" />
            批量粘贴
          </Button>
        </div>
      </div>
      <FormError>{error('options')}</FormError>
      <p className="field-help">改名不影响已填的商品；停用后旧商品照样显示，新商品不能再选。</p>
      {pasting && (
        <PasteDialog
          title="批量粘贴选项"
          help="每行一个，也可以用顿号、逗号隔开；已有的名称不会重复加。"
          preview={(text) => {
            const result = pasteOptions(options, text);
            const added = result.options.length - options.filter(({ label }) => label !== '').length;
            return `会加 ${added} 个选项${result.known > 0 ? `，${result.known} 个已有的跳过` : ''}`;
          }}
          onTake={(text) => onChange(pasteOptions(options, text).options)}
          onClose={() => setPasting(false)}
        />
      )}
    </div>
  );
}
