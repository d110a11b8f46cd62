import { Download, FileSpreadsheet } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import { listingImportTemplate, listingImportUpload } from '#subjects/listing-import/contract/listing-import.ts';
import { saveText } from '#web/lib/media/save-file.ts';
import { sendFile } from '#web/lib/media/upload.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { FileDrop } from '#web/ui/forms/file-drop.tsx';
import { Select } from '#web/ui/forms/input.tsx';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

const MAX_BYTES = 5 * 1024 * 1024;
const ACCEPT =
  '.csv,.tsv,.txt,.xlsx,.xlsm,text/csv,text/tab-separated-values,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

interface ImportGame {
  id: number;
  name: string;
  types: readonly { id: number; name: string }[];
}

const labels = {
  busy: '正在上传并读取…',
  help: 'XLSX 或 CSV，最大 5M、2000 行；表头上面可以有标题行，公式按结果读取',
  field: '表格文件',
};

/** The purpose of the file, its template, and the upload. */
export function StartImport({ games, kind }: { games: readonly ImportGame[]; kind: 'publish' | 'stock' }) {
  const navigate = useNavigate();
  const [gameId, setGameId] = useState('');
  const [typeId, setTypeId] = useState('');
  const game = games.find(({ id }) => String(id) === gameId);
  const about = kind === 'stock' ? { kind } : { kind, gameId, goodsTypeId: typeId };
  const isChosen = kind === 'stock' || (gameId !== '' && typeId !== '');
  const upload = useMutation(
    (file: File) =>
      sendFile<Data<typeof listingImportUpload>>(
        listingImportUpload,
        `?${new URLSearchParams(about)}`,
        file,
        '上传失败，请检查网络后重试',
      ),
    {
      check: (file) => ({ send: file.size > MAX_BYTES ? '文件不能超过 5M，请拆开后分别上传' : undefined }),
      done: async ({ importId, repeated }) => {
        if (repeated) toast('这个文件上传过，已打开那一次导入', 'ok');
        await navigate(`?id=${importId}`);
        return true;
      },
    },
  );
  const template = useMutation(listingImportTemplate, {
    toasts: true,
    done: ({ fileName, text }) => saveText(fileName, text),
  });
  return (
    <>
      <LinkTabs
        label="导入方式"
        items={[
          { key: 'publish', label: '发布商品', to: '?', isCurrent: kind === 'publish' },
          { key: 'stock', label: '改价改库存', to: '?kind=stock', isCurrent: kind === 'stock' },
        ]}
      />
      <div className="grid gap-4 p-4">
        {kind === 'publish' ? (
          <div className="grid gap-4 md:grid-cols-2">
            <Field label="游戏" required>
              {(control) => (
                <Select
                  {...control}
                  value={gameId}
                  onChange={(event) => {
                    const chosen = games.find(({ id }) => String(id) === event.target.value);
                    setGameId(event.target.value);
                    setTypeId(chosen?.types.length === 1 ? String(chosen.types[0]?.id ?? '') : '');
                  }}
                >
                  <option value="">请选择</option>
                  {games.map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <Field label="商品类型" required>
              {(control) => (
                <Select
                  {...control}
                  value={typeId}
                  disabled={!game}
                  onChange={(event) => setTypeId(event.target.value)}
                >
                  <option value="">请选择</option>
                  {game?.types.map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
          </div>
        ) : (
          <p className="text-13 text-ink-2">
            每行一件：商家编号或商品编号，加上新的价格、库存或“上架”“下架”。空着的格子不变，改动立即生效，不用审核。
          </p>
        )}
        <FileDrop
          busy={upload.busy}
          disabled={!isChosen}
          icon={FileSpreadsheet}
          labels={{ ...labels, choose: isChosen ? '选择表格' : '先选择游戏和商品类型' }}
          accept={ACCEPT}
          onFile={(file) => void upload.send(file)}
        />
        <FormError>{upload.error}</FormError>
        <div className="flex flex-wrap items-center gap-3">
          <Button size="sm" busy={template.busy} disabled={!isChosen} onClick={() => void template.send(about)}>
            <Download className="icon size-3.5" aria-hidden="true" />
            下载模板
          </Button>
          <p className="min-w-0 flex-1 basis-60 text-12 text-ink-3">
            {kind === 'publish'
              ? '也可以直接用您自己的表，下一步再对应各列。图片可写文件名，随表上传（也可打包成 zip），或写网址。检查规则和发布页相同；有问题的行会写明原因，可在页面上改好，不会丢失。'
              : '也可以直接用您自己的表，下一步再对应各列。'}
          </p>
        </div>
      </div>
    </>
  );
}
