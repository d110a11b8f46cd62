import { Filter, X } from 'lucide-react';
import { useState } from 'react';
import type { AnyList, FilterForm } from '#contract/lists/kit.ts';
import { rangeText } from '#contract/rules/time/date-range.ts';
import { textsOf } from '#web/lib/forms/form-values.ts';
import { Button } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Input, withChoice } from '#web/ui/forms/input.tsx';
import { Popover } from '#web/ui/overlays/popover.tsx';
import { type Counted, DateEditor } from './date-editor.tsx';
import { type Query, queryText } from './state.ts';

type List = Pick<AnyList, 'name' | 'unit'> & { filters: Readonly<Record<string, FilterForm>> };
type Apply = (key: string, value: string | null) => void;

/** A filter's value as text; empty for an on/off filter. */
function valueText(form: FilterForm, value: string, now: Date): string {
  if (form.kind === 'choice')
    return value
      .split(',')
      .map((one) => form.options.find(([key]) => key === one)?.[1] ?? one)
      .join('、');
  if (form.kind === 'time') return rangeText(value, now);
  if (form.kind === 'word') return `“${value}”`;
  if (form.kind === 'flag') return '';
  const [least = '', most = ''] = value.split('~');
  if (most === '') return `¥${least} 以上`;
  return least === '' ? `¥${most} 以下` : `¥${least} 至 ¥${most}`;
}

function ChoiceEditor({
  form,
  value,
  onApply,
}: {
  form: FilterForm & { kind: 'choice' };
  value: string;
  onApply: (value: string) => void;
}) {
  // A box is ticked immediately; the rows are updated after loading.
  const [chosen, setChosen] = useState<readonly string[]>(value === '' ? [] : value.split(','));
  const choose = (keys: readonly string[]) => {
    setChosen(keys);
    onApply(keys.join(','));
  };
  const [find, setFind] = useState('');
  const options = form.options.filter(([, name]) => name.includes(find));
  return (
    <div className="grid w-56 gap-1 p-2">
      {form.options.length > 8 && (
        <Input
          small
          aria-label={`找${form.name}`}
          placeholder={`找${form.name}`}
          value={find}
          onChange={(e) => setFind(e.target.value)}
        />
      )}
      <div className="max-h-72 overflow-y-auto">
        {options.map(([key, name]) => (
          <label key={key} className="menu-item cursor-pointer">
            <input
              type="checkbox"
              className="checkbox"
              checked={chosen.includes(key)}
              onChange={(event) => choose(withChoice(chosen, key, event.target.checked))}
            />
            {name}
          </label>
        ))}
        {options.length === 0 && <p className="p-2 text-12 text-ink-3">没有这一项</p>}
      </div>
    </div>
  );
}

function MoneyEditor({ value, onApply }: { value: string; onApply: (value: string) => void }) {
  const [least, most] = value.split('~');
  const [error, setError] = useState(false);
  return (
    <form
      className="grid w-64 gap-2 p-3"
      onSubmit={(event) => {
        event.preventDefault();
        const typed = textsOf(event.currentTarget);
        const [from, to] = [typed('least'), typed('most')];
        const isAmount = (text: string) => /^(\d{1,9}(\.\d{1,2})?)?$/.test(text);
        const fits = isAmount(from) && isAmount(to) && (!from || !to || Number(from) <= Number(to));
        setError(!fits);
        if (fits) onApply(from || to ? `${from}~${to}` : '');
      }}
    >
      <div className="flex items-center gap-2">
        <Input small name="least" inputMode="decimal" aria-label="最低，元" placeholder="最低" defaultValue={least} />
        <span className="text-ink-3">至</span>
        <Input small name="most" inputMode="decimal" aria-label="最高，元" placeholder="最高" defaultValue={most} />
      </div>
      {error && <FormError>请填金额，例如 100 至 500</FormError>}
      <Button size="sm" kind="primary" type="submit">
        应用
      </Button>
    </form>
  );
}

function WordEditor({ name, value, onApply }: { name: string; value: string; onApply: (value: string) => void }) {
  return (
    <form
      className="flex gap-2 p-3"
      onSubmit={(event) => {
        event.preventDefault();
        onApply(textsOf(event.currentTarget)('word'));
      }}
    >
      <Input
        small
        name="word"
        aria-label={name}
        placeholder={name}
        maxLength={40}
        defaultValue={value}
        className="w-52"
        autoFocus
      />
      <Button size="sm" kind="primary" type="submit">
        应用
      </Button>
    </form>
  );
}

function Editor({
  form,
  value,
  now,
  counted,
  onApply,
  close,
}: {
  form: FilterForm;
  value: string;
  now: Date;
  counted: Counted;
  onApply: (value: string) => void;
  close: () => void;
}) {
  const once = (next: string) => {
    onApply(next);
    close();
  };
  if (form.kind === 'choice') return <ChoiceEditor form={form} value={value} onApply={onApply} />;
  if (form.kind === 'time')
    return <DateEditor name={form.name} value={value} now={now} counted={counted} onApply={once} />;
  if (form.kind === 'money') return <MoneyEditor value={value} onApply={once} />;
  return <WordEditor name={form.name} value={value} onApply={once} />;
}

/** An active filter: its value opens the editor in place, the cross removes it. */
function Token({
  id,
  form,
  value,
  now,
  counted,
  onApply,
}: {
  id: string;
  form: FilterForm;
  value: string;
  now: Date;
  counted: Counted;
  onApply: Apply;
}) {
  const text = valueText(form, value, now);
  return (
    <span className="list-token">
      {form.kind === 'flag' ? (
        <b>{form.name}</b>
      ) : (
        <Popover
          label={form.name}
          trigger={(props) => (
            <button type="button" {...props}>
              {form.kind !== 'word' && <span>{form.name}</span>}
              <b>{text}</b>
            </button>
          )}
        >
          {(close) => (
            <Editor
              form={form}
              value={value}
              now={now}
              counted={counted}
              close={close}
              onApply={(next) => onApply(id, next || null)}
            />
          )}
        </Popover>
      )}
      <button type="button" aria-label={`去掉筛选：${form.name}${text}`} onClick={() => onApply(id, null)}>
        <X className="icon size-3" aria-hidden="true" />
      </button>
    </span>
  );
}

/** The inactive filters; one that needs a value opens its editor in place of the menu. */
function AddFilter({
  list,
  query,
  now,
  counted,
  onApply,
}: {
  list: List;
  query: Query;
  now: Date;
  counted: (id: string) => Counted;
  onApply: Apply;
}) {
  const { filters } = list;
  const [editing, setEditing] = useState<string | null>(null);
  const rest = Object.entries(filters).filter(([key, { kind }]) => query[key] === undefined && kind !== 'word');
  const form = editing === null ? undefined : filters[editing];
  if (rest.length === 0 && !form) return null;
  return (
    <Popover
      label="加筛选"
      trigger={(props) => (
        <button type="button" className="list-add" data-key="f" {...props} onClick={() => setEditing(null)}>
          <Filter className="icon size-3.5" aria-hidden="true" />
          加筛选
          <kbd className="kbd">F</kbd>
        </button>
      )}
    >
      {(close) =>
        form && editing ? (
          <Editor
            form={form}
            value={query[editing] ?? ''}
            now={now}
            counted={counted(editing)}
            close={close}
            onApply={(next) => onApply(editing, next || null)}
          />
        ) : (
          <div className="max-h-96 w-52 overflow-y-auto p-1">
            {rest.map(([key, { name, kind }]) => (
              <button
                key={key}
                type="button"
                className="menu-item"
                onClick={() => {
                  if (kind === 'flag') {
                    onApply(key, '1');
                    close();
                  } else setEditing(key);
                }}
              >
                {name}
              </button>
            ))}
          </div>
        )
      }
    </Popover>
  );
}

/** The line of filters: the keyword, the active filters as removable tokens, and the menu to add more. Each applies immediately. */
export function FilterLine({
  list,
  query,
  now,
  onApply,
  onClear,
}: {
  list: List;
  query: Query;
  now: string;
  onApply: Apply;
  onClear: () => void;
}) {
  const { filters } = list;
  const at = new Date(now);
  const counted = (id: string): Counted => ({
    list: list.name,
    unit: list.unit,
    queryWith: (value) => {
      const { [id]: _, sort: __, ...rest } = query;
      return queryText(value === '' ? rest : { ...rest, [id]: value });
    },
  });
  const word = Object.entries(filters).find(([, { kind }]) => kind === 'word');
  const held = Object.entries(filters).filter(([key, { kind }]) => query[key] !== undefined && kind !== 'word');
  return (
    <div className="list-filters" role="search">
      {word && (
        <form
          key={query[word[0]] ?? ''}
          onSubmit={(event) => {
            event.preventDefault();
            onApply(word[0], textsOf(event.currentTarget)('word') || null);
          }}
        >
          <Input
            small
            type="search"
            name="word"
            data-key="/"
            aria-label={word[1].name}
            placeholder={word[1].name}
            maxLength={40}
            defaultValue={query[word[0]] ?? ''}
            className="list-word"
          />
        </form>
      )}
      <AddFilter list={list} query={query} now={at} counted={counted} onApply={onApply} />
      {held.map(([key, form]) => (
        <Token
          key={key}
          id={key}
          form={form}
          value={query[key] ?? ''}
          now={at}
          counted={counted(key)}
          onApply={onApply}
        />
      ))}
      {(held.length > 0 || (word && query[word[0]] !== undefined)) && (
        <button type="button" className="link text-12" onClick={onClear}>
          清空
        </button>
      )}
    </div>
  );
}
