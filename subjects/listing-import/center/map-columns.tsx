import { useState } from 'react';
import { useNavigate } from 'react-router';
import { listingImportMap } from '#subjects/listing-import/contract/listing-import.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { FormError } from '#web/ui/forms/field.tsx';
import { Input, Select } from '#web/ui/forms/input.tsx';
import type { ImportFile } from './file.ts';
import { PictureUpload } from './pictures.tsx';
import { ReadingNotes } from './reading-notes.tsx';

type Target = ImportFile['targets'][number];
type Mapping = Readonly<Record<string, number>>;

const SAMPLES = 3;

function samplesOf(file: ImportFile, at: number | undefined): string {
  if (at === undefined) return '';
  return file.sample
    .map((cells) => cells[at] ?? '')
    .filter((cell) => cell !== '')
    .slice(0, SAMPLES)
    .join('，');
}

function Default({ target, value, onChange }: { target: Target; value: string; onChange: (text: string) => void }) {
  const shared = { 'aria-label': `${target.label} 统一填写`, value, className: 'w-full' };
  return target.options ? (
    <Select small {...shared} onChange={(event) => onChange(event.target.value)}>
      <option value="">统一填写</option>
      {target.options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </Select>
  ) : (
    <Input
      small
      {...shared}
      maxLength={2000}
      placeholder="统一填写"
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function TargetRow({
  file,
  target,
  at,
  text,
  isWrong,
  onColumn,
  onText,
}: {
  file: ImportFile;
  target: Target;
  at: number | undefined;
  text: string;
  isWrong: boolean;
  onColumn: (at: number | undefined) => void;
  onText: (text: string) => void;
}) {
  const sample = samplesOf(file, at);
  return (
    <li
      data-target={target.key}
      className={cx(
        'grid items-start gap-x-4 gap-y-2 px-4 py-3 md:grid-cols-[minmax(0,5fr)_minmax(0,4fr)_minmax(0,4fr)]',
        isWrong && 'bg-attn-bg',
      )}
    >
      <div className="min-w-0">
        <p className="font-medium">
          {target.label}
          {!target.required && <span className="ml-1 font-normal text-ink-3">选填</span>}
        </p>
        {target.help && <p className="text-12 text-ink-3">{target.help}</p>}
      </div>
      <div className="min-w-0">
        <Select
          small
          className="w-full"
          aria-label={`${target.label} 对应的列`}
          aria-invalid={isWrong || undefined}
          value={at ?? ''}
          onChange={(event) => onColumn(event.target.value === '' ? undefined : Number(event.target.value))}
        >
          <option value="">表里没有</option>
          {file.columns.map((name, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is identified by its position; headings may repeat
            <option key={i} value={i}>
              {name}
            </option>
          ))}
        </Select>
        {sample && <p className="mt-1 truncate text-12 text-ink-3">如：{sample}</p>}
      </div>
      <Default target={target} value={text} onChange={onText} />
    </li>
  );
}

/** The columns of a file: the part of a listing that each contains, as guessed from the headings, and the default for empty cells. */
export function MapColumns({ file }: { file: ImportFile }) {
  const navigate = useNavigate();
  const [mapping, setMapping] = useState<Mapping>(file.mapping);
  const [defaults, setDefaults] = useState<Readonly<Record<string, string>>>(file.defaults);
  const used = new Set(Object.values(mapping));
  const unused = file.columns.filter((_, i) => !used.has(i));
  const missing = file.targets.filter(
    ({ key, required }) =>
      required &&
      mapping[key] === undefined &&
      !defaults[key]?.trim() &&
      !(key.startsWith('details.') && mapping.attrs !== undefined),
  );
  const { busy, error, send } = useMutation(listingImportMap, {
    done: async () => {
      await navigate(`?id=${file.importId}`);
      return true;
    },
  });
  const setColumn = (key: string, at: number | undefined): void => {
    const { [key]: _old, ...rest } = mapping;
    setMapping(at === undefined ? rest : { ...rest, [key]: at });
  };
  return (
    <section className="panel" aria-labelledby="columns">
      <div className="panel-head flex-wrap">
        <h1 id="columns" className="text-16 font-semibold">
          对应表格的列
        </h1>
        <p className="min-w-0 truncate">
          {file.fileName} · {file.total} 行{file.gameName && ` · ${file.gameName} ${file.goodsTypeStr}`}
        </p>
        <ButtonLink size="sm" className="ml-auto" to="?">
          返回
        </ButtonLink>
      </div>
      <ReadingNotes file={file} />
      <p className="border-b border-line-soft px-4 py-3 text-13 text-ink-2">
        已按表头自动匹配，请核对。表里没有、但每件都一样的内容，可在右边统一填写；表里空着的格子也用它。
      </p>
      <div className="hidden grid-cols-[minmax(0,5fr)_minmax(0,4fr)_minmax(0,4fr)] gap-x-4 border-b border-line-soft px-4 py-2 text-12 text-ink-3 md:grid">
        <span>商品的内容</span>
        <span>表里的列</span>
        <span>统一填写</span>
      </div>
      <ul className="divide-y divide-line-soft">
        {file.targets.map((target) => (
          <TargetRow
            key={target.key}
            file={file}
            target={target}
            at={mapping[target.key]}
            text={defaults[target.key] ?? ''}
            isWrong={missing.includes(target)}
            onColumn={(at) => setColumn(target.key, at)}
            onText={(text) => setDefaults({ ...defaults, [target.key]: text })}
          />
        ))}
      </ul>
      {mapping.pictures !== undefined && (
        <div className="border-t border-line-soft p-4">
          <PictureUpload file={file} />
        </div>
      )}
      <div className="bulk-bar">
        <p className="min-w-0 flex-1 basis-48 text-13 text-ink-3" aria-live="polite">
          {missing.length > 0
            ? `还需要：${missing.map(({ label }) => label).join('、')}`
            : unused.length > 0
              ? `没有用到的列：${unused.join('、')}`
              : '每一列都用上了'}
        </p>
        <FormError>{error}</FormError>
        <Button
          kind="primary"
          busy={busy}
          onClick={() => {
            // If clicked too early, it moves the focus to the missing input.
            if (missing[0]) document.querySelector<HTMLElement>(`[data-target="${missing[0].key}"] select`)?.focus();
            else void send({ importId: file.importId, mapping, defaults });
          }}
        >
          检查每一行
        </Button>
      </div>
    </section>
  );
}
