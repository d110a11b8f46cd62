import { useState } from 'react';
import { useRevalidator } from 'react-router';
import {
  type GameImportReport,
  importGameFile,
  loadShippedGames,
  shippedGames,
} from '#subjects/games/contract/staff-games.ts';
import { call } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Checkbox, Input, withChoice } from '#web/ui/forms/input.tsx';
import { ErrorState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { FileDrop } from '#web/ui/forms/file-drop.tsx';
import { MAX_FILE_BYTES, sendFile } from '#subjects/back-office/staff/parts/send-file.ts';
import { usePanel } from '#subjects/back-office/staff/parts/use-panel.ts';
import { ChangeList } from './changes.tsx';

/** A trial of a file or of shipped games; applying sends the same input again. */
type Source = { name: string; send: (query: Record<string, string>) => Promise<GameImportReport> };

const fileSource = (file: File): Source => ({
  name: file.name,
  send: (query) => sendFile(importGameFile, file, query),
});
const shippedSource = (codes: readonly string[]): Source => ({
  name: `自带目录的 ${codes.length} 个游戏`,
  send: (query) => call(loadShippedGames, { codes: [...codes], ...query }, { quiet: true }),
});

const labels = {
  choose: '选择游戏文件',
  busy: '正在试读…',
  help: '在本页导出的 JSON 文件，最大 10M；有一处错误就都不导入',
  field: '游戏文件',
};

/** Shipped games that do not exist yet. */
function ShippedList({ onPick }: { onPick: (codes: string[]) => void }) {
  const { data, failure, reload } = usePanel(shippedGames, {});
  const [codes, setCodes] = useState<string[]>([]);
  if (data === null && failure !== null) return <ErrorState message={failure} onRetry={reload} />;
  if (data === null) return <p className="text-13 text-ink-3">正在读取自带目录…</p>;
  const { list } = data;
  const missing = list.filter(({ isLoaded }) => !isLoaded);
  if (missing.length === 0) return <p className="text-13 text-ink-3">自带目录的 {list.length} 个游戏都已在目录里</p>;
  return (
    <div className="grid gap-2">
      <h3 className="text-13 font-semibold">从自带目录添加</h3>
      <div className="grid max-h-56 gap-1 overflow-y-auto sm:grid-cols-2">
        {missing.map(({ code, name, areas, servers, fields }) => (
          <Checkbox
            key={code}
            checked={codes.includes(code)}
            onChange={(e) => setCodes(withChoice(codes, code, e.target.checked))}
          >
            {name}
            <span className="ml-1 text-12 text-ink-3">
              {areas} 区 {servers} 服，{fields} 项
            </span>
          </Checkbox>
        ))}
      </div>
      <div>
        <Button size="sm" disabled={codes.length === 0} onClick={() => onPick(codes)}>
          试读选中的 {codes.length} 个
        </Button>
      </div>
    </div>
  );
}

function Errors({ report }: { report: GameImportReport }) {
  return (
    <div className="rounded-control border border-danger-line">
      <p className="border-b border-danger-line bg-danger-bg px-3 py-2 text-13 text-danger" role="alert">
        有 {report.errors.length} 处错误，什么都没有导入
      </p>
      <ol className="max-h-72 overflow-y-auto py-1 text-13">
        {report.errors.map(({ line, path, text }, index) => (
          <li key={index} className="grid grid-cols-[72px_minmax(0,1fr)] gap-x-2 px-3 py-1">
            <span className="num text-left! text-ink-3">{line === null ? '' : `第 ${line} 行`}</span>
            <span>
              {text}
              <code className="block text-12 break-all text-ink-3">{path}</code>
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

const STATES = { new: '新增', changed: '有改动', same: '没有不同' } as const;

function Trial({ report }: { report: GameImportReport }) {
  return (
    <ul className="grid max-h-80 gap-2 overflow-y-auto">
      {report.games.map(({ code, name, state, changes }) => (
        <li key={code} className="rounded-control border border-line-soft px-3 py-2">
          <details open={state === 'changed'}>
            <summary className="cursor-pointer text-13">
              <b className="mr-2 font-medium">{name}</b>
              <span className="mr-2 text-12 text-ink-3">{code}</span>
              <Tag {...(state !== 'same' && { tone: state === 'new' ? 'safe' : 'attn' })}>{STATES[state]}</Tag>
              {changes.length > 0 && <span className="ml-2 text-12 text-ink-3">{changes.length} 处</span>}
            </summary>
            <div className="mt-2">
              <ChangeList changes={changes} />
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}

/** Imports games from a file or from the shipped ones: a trial first shows the differences, which are then applied as shown. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { revalidate } = useRevalidator();
  const [tried, setTried] = useState<{ source: Source; report: GameImportReport } | null>(null);
  const [reason, setReason] = useState('');
  const trial = useMutation((source: Source) => source.send({}), {
    done: (report, source) => setTried({ source, report }),
  });
  const apply = useMutation(
    ({ source, report }: { source: Source; report: GameImportReport }) =>
      source.send({ apply: '1', digest: report.digest, reason }),
    {
      check: () => ({ reason: reason.trim().length < 2 ? '请填写原因，至少 2 个字' : undefined }),
      done: ({ games }) => {
        toast(`已导入 ${games.filter(({ state }) => state !== 'same').length} 个游戏`, 'ok');
        onClose();
        void revalidate();
      },
    },
  );
  const { form: ref, submit } = apply;
  const changed = tried?.report.games.some(({ state }) => state !== 'same') === true;
  const ready = tried !== null && tried.report.errors.length === 0 && changed;
  const take = (file: File) =>
    file.size > MAX_FILE_BYTES
      ? trial.setErrors({ send: '文件不能超过 10M，请拆开后分别导入' })
      : void trial.send(fileSource(file));
  return (
    <Dialog
      title="导入游戏"
      busy={apply.busy}
      onClose={onClose}
      footer={
        <>
          <Button onClick={tried ? () => setTried(null) : onClose} disabled={apply.busy}>
            {tried ? '换一个' : '返回'}
          </Button>
          {ready && (
            <Button kind="primary" busy={apply.busy} onClick={() => void apply.send(tried)}>
              导入
            </Button>
          )}
        </>
      }
    >
      {tried === null ? (
        <div className="grid gap-4">
          <FileDrop busy={trial.busy} labels={labels} accept=".json,application/json" onFile={take} />
          <FormError>{trial.error}</FormError>
          <ShippedList onPick={(codes) => void trial.send(shippedSource(codes))} />
        </div>
      ) : (
        <form ref={ref} className="grid gap-3" onSubmit={submit(() => tried)}>
          <p className="text-13 text-ink-2">
            {tried.source.name}
            {ready && '：试读通过，还没有写入。文件里没有的大区、服务器、填写项会停用，不会删除。'}
            {tried.report.errors.length === 0 && !changed && '：与目录没有不同，不用导入。'}
          </p>
          {tried.report.errors.length > 0 ? <Errors report={tried.report} /> : <Trial report={tried.report} />}
          {ready && (
            <Field label="原因" required error={apply.errors.reason}>
              {(control) => <Input {...control} value={reason} onChange={(e) => setReason(e.target.value)} />}
            </Field>
          )}
          <FormError>{apply.error}</FormError>
        </form>
      )}
    </Dialog>
  );
}
