import { type FormEvent, useState } from 'react';
import type { Data } from '#contract/endpoint.ts';
import { listingImportMend, type listingImportRows } from '#subjects/listing-import/contract/listing-import.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input, Select, Textarea } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import type { ImportFile } from './file.ts';

type Row = Data<typeof listingImportRows>['list'][number];
type Target = ImportFile['targets'][number];

/** Values of the row that are not among the options stay visible, so that nothing changes unnoticed. */
function optionsOf(options: readonly string[], value: string): readonly string[] {
  return value === '' || options.includes(value) ? options : [value, ...options];
}

function Control({
  target,
  value,
  error,
  onChange,
}: {
  target: Target;
  value: string;
  error: string | undefined;
  onChange: (text: string) => void;
}) {
  return (
    <Field label={target.label} required={target.required} error={error} help={target.help || undefined}>
      {(control) =>
        target.options ? (
          <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
            <option value="">不填</option>
            {optionsOf(target.options, value).map((option) => (
              <option key={option}>{option}</option>
            ))}
          </Select>
        ) : target.key === 'description' ? (
          <Textarea {...control} rows={3} value={value} onChange={(event) => onChange(event.target.value)} />
        ) : (
          <Input
            {...control}
            autoComplete="off"
            maxLength={4000}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )
      }
    </Field>
  );
}

/** A rejected row with each error next to its field, to be corrected here. */
export function MendRow({ file, row }: { file: ImportFile; row: Row }) {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [showsAll, setShowsAll] = useState(false);
  // A field with an error stays visible until the row is valid, even after its own error is fixed.
  const [columns, setAsked] = useState<ReadonlySet<string>>(new Set());
  const wrong = new Map(row.problems.map(({ field, text }) => [field, text]));
  const { busy, error, send } = useMutation(listingImportMend, {
    done: ({ state, line }) => {
      setAsked(new Set([...columns, ...wrong.keys()]));
      if (state !== 'refused') toast(`第 ${line} 行已改好`, 'ok');
      setTyped({});
    },
    revalidates: true,
  });
  const targets = file.targets.filter(({ key }) => showsAll || wrong.has(key) || columns.has(key));
  const rest = [...wrong].filter(([field]) => !file.targets.some(({ key }) => key === field));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (Object.keys(typed).length > 0) void send({ importId: file.importId, line: row.line, values: typed });
  };
  return (
    <li className="px-4 py-3">
      <form className="grid gap-3" onSubmit={submit} aria-label={`第 ${row.line} 行`}>
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="text-12 text-ink-3">第 {row.line} 行</span>
          <span className="min-w-0 flex-1 truncate font-medium">{row.values.bigTitle ?? row.values.code ?? ''}</span>
          {row.values.bigTitle && row.values.code && <span className="text-12 text-ink-3">{row.values.code}</span>}
        </p>
        {rest.map(([field, text]) => (
          <FormError key={field}>{text}</FormError>
        ))}
        {targets.length > 0 && (
          <div className="grid gap-x-4 gap-y-3 md:grid-cols-2 xl:grid-cols-3">
            {targets.map((target) => (
              <Control
                key={target.key}
                target={target}
                value={typed[target.key] ?? row.values[target.key] ?? ''}
                error={typed[target.key] === undefined ? wrong.get(target.key) : undefined}
                onChange={(text) => setTyped({ ...typed, [target.key]: text })}
              />
            ))}
          </div>
        )}
        <FormError>{error}</FormError>
        <div className="flex gap-2">
          <Button size="sm" kind="primary" type="submit" busy={busy} disabled={Object.keys(typed).length === 0}>
            保存并检查
          </Button>
          <Button size="sm" kind="ghost" type="button" onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? '只看有问题的' : '修改其他内容'}
          </Button>
        </div>
      </form>
    </li>
  );
}
