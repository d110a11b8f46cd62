import { FileSpreadsheet } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { type ImportJob, startImport, uploadStockList } from '#subjects/back-office/contract/import.ts';
import { isPhone } from '#contract/rules/contacts/phone.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { grouped } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Checkbox, Input } from '#web/ui/forms/input.tsx';
import { FileDrop } from '#web/ui/forms/file-drop.tsx';
import { MAX_FILE_BYTES, sendFile } from '../parts/send-file.ts';
import { ListNotes } from './list-notes.tsx';

const labels = {
  choose: '选择库存表',
  busy: '正在上传并检查…',
  help: 'XLSX 或 CSV（任何编码和分隔符），最大 10M、5 万行',
  field: '库存表文件',
};

/** The chosen file and its seller: the last step before the import runs. */
function StartForm({ job, onOther }: { job: ImportJob; onOther: () => void }) {
  const navigate = useNavigate();
  const [seller, setSeller] = useState('');
  const [publish, setPublish] = useState(false);
  const { busy, error, submit } = useMutation(startImport, {
    check: () => ({ send: isPhone(seller) ? undefined : '请输入卖家注册的 11 位手机号' }),
    done: async () => {
      await navigate(`?id=${job.importId}`);
      return true;
    },
  });
  return (
    <form className="grid gap-4" onSubmit={submit(() => ({ importId: job.importId, seller, publish }))}>
      <p className="flex items-center gap-3 rounded-control bg-sunken px-3 py-2.5">
        <FileSpreadsheet className="icon size-5 text-ink-3" aria-hidden="true" />
        <span className="min-w-0 flex-1">
          <b className="block truncate font-medium">{job.fileName}</b>
          <span className="text-12 text-ink-3">
            {grouped(job.totalRows)} 行，{grouped(Math.max(1, Math.round(job.bytes / 1024)))} KB
          </span>
        </span>
        <Button size="sm" kind="ghost" onClick={onOther}>
          换一个
        </Button>
      </p>
      <ListNotes job={job} />
      <Field label="卖家手机号" required error={error} help="商品会归到这个卖家名下；卖家须已实名">
        {(control) => (
          <Input
            {...control}
            type="tel"
            autoComplete="off"
            value={seller}
            onChange={(event) => setSeller(event.target.value.trim())}
          />
        )}
      </Field>
      <Checkbox checked={publish} onChange={(event) => setPublish(event.target.checked)}>
        跳过审核直接上架
        <span className="block text-12 text-ink-3">不勾选时进入商品审核队列</span>
      </Checkbox>
      <Button type="submit" kind="primary" busy={busy} className="justify-self-start">
        开始导入
      </Button>
    </form>
  );
}

/** A new import: the file, checked when chosen, then its seller. */
export function NewImport() {
  const [job, setJob] = useState<ImportJob | null>(null);
  const { busy, error, send } = useMutation((file: File) => sendFile(uploadStockList, file), {
    check: (file) => ({ send: file.size > MAX_FILE_BYTES ? '文件不能超过 10M，请拆开后分别导入' : undefined }),
    done: setJob,
  });
  return (
    <section className="panel" aria-label="新的导入">
      <div className="panel-head">
        <h2>新的导入</h2>
      </div>
      <div className="grid gap-3 p-4">
        {job ? (
          <StartForm job={job} onOther={() => setJob(null)} />
        ) : (
          <>
            <FileDrop
              busy={busy}
              labels={labels}
              accept=".xlsx,.xlsm,.csv,.tsv,.txt"
              onFile={(file) => void send(file)}
            />
            {error && <FormError>{error}</FormError>}
            <p className="text-12 text-ink-3">
              表头上面可以有标题行；至少要有“游戏”“价格”和“标题”或“属性”。全角数字、￥1,288.00、重复账号、标题里的联系方式和网页代码会自动处理；处理不了的行会写明原因，可下载改好再传，已导入的不会重复。
            </p>
          </>
        )}
      </div>
    </section>
  );
}
