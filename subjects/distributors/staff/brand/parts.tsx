import { Plus, X } from 'lucide-react';
import { RowButtons } from '#subjects/back-office/staff/parts/form/row-buttons.tsx';
import type { FormErrors, Message } from '#web/lib/forms/form-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input, Select } from '#web/ui/forms/input.tsx';

interface LinkRow {
  title: string;
  url: string;
}

/** A list of links in their order. */
export function LinkList({
  label,
  name,
  value,
  errors,
  help,
  onChange,
}: {
  label: string;
  name: string;
  value: readonly LinkRow[];
  errors: FormErrors;
  help: string;
  onChange: (links: LinkRow[]) => void;
}) {
  const set = (index: number, part: Partial<LinkRow>) =>
    onChange(value.map((link, n) => (n === index ? { ...link, ...part } : link)));
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-13 font-medium">{label}</legend>
      <p className="text-12 text-ink-3">{help}</p>
      {value.map((link, index) => (
        <div key={index} className="flex items-start gap-2">
          {(['title', 'url'] as const).map((part) => (
            <span key={part} className={part === 'title' ? 'w-32 flex-none' : 'min-w-0 flex-1'}>
              <Input
                small
                aria-label={`${label}第 ${index + 1} 项${part === 'title' ? '名称' : '链接'}`}
                aria-invalid={errors[`${name}.${index}.${part}`] ? true : undefined}
                placeholder={part === 'title' ? '名称' : '/news/about'}
                value={link[part]}
                onChange={(e) => set(index, { [part]: e.target.value })}
              />
              <FormError>{errors[`${name}.${index}.${part}`]}</FormError>
            </span>
          ))}
          <RowButtons list={value} index={index} name={`${label}第 ${index + 1} 项`} onChange={onChange} />
        </div>
      ))}
      <FormError>{errors[name]}</FormError>
      <div>
        <Button size="sm" onClick={() => onChange([...value, { title: '', url: '' }])}>
          <Plus className="icon size-3.5" aria-hidden="true" />
          加一项
        </Button>
      </div>
    </fieldset>
  );
}

interface GameName {
  gameId: number;
  name: string;
}

/** Games in their order. */
export function GameList({
  label,
  value,
  games,
  error,
  help,
  isOrdered = false,
  onChange,
}: {
  label: string;
  value: readonly number[];
  games: readonly GameName[];
  error: Message | undefined;
  help: string;
  isOrdered?: boolean;
  onChange: (ids: number[]) => void;
}) {
  const nameOf = (id: number) => games.find((game) => game.gameId === id)?.name ?? `游戏 ${id}`;
  const rest = games.filter(({ gameId }) => !value.includes(gameId));
  return (
    <Field label={label} help={help} error={error} required>
      {(control) => (
        <span className="grid gap-2">
          {isOrdered ? (
            <ol className="grid gap-1">
              {value.map((id, index) => (
                <li key={id} className="flex items-center gap-2 rounded-control border border-line px-2 py-0.5 text-13">
                  <span className="w-5 text-right text-12 text-ink-3">{index + 1}</span>
                  {nameOf(id)}
                  <RowButtons list={value} index={index} name={nameOf(id)} onChange={onChange} />
                </li>
              ))}
            </ol>
          ) : (
            <ul className="flex flex-wrap gap-1.5">
              {value.map((id) => (
                <li key={id} className="flex items-center rounded-control border border-line pl-2 text-13">
                  {nameOf(id)}
                  <Button
                    kind="ghost"
                    size="sm"
                    icon
                    aria-label={`移除${nameOf(id)}`}
                    onClick={() => onChange(value.filter((other) => other !== id))}
                  >
                    <X className="icon size-3.5" aria-hidden="true" />
                  </Button>
                </li>
              ))}
            </ul>
          )}
          <Select
            {...control}
            small
            value=""
            onChange={(e) => e.target.value !== '' && onChange([...value, Number(e.target.value)])}
          >
            <option value="">加一个游戏…</option>
            {rest.map(({ gameId, name }) => (
              <option key={gameId} value={gameId}>
                {name}
              </option>
            ))}
          </Select>
        </span>
      )}
    </Field>
  );
}
