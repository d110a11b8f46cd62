import type { PayChannelName } from '../../rules/pay-channels.ts';
import { CircleAlert, CircleCheck, Download } from 'lucide-react';
import { useState } from 'react';
import {
  fetchStatement,
  type ImportedStatement,
  uploadStatement,
} from '#subjects/payments/contract/staff-reconcile.ts';
import { call } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { grouped } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input, Select } from '#web/ui/forms/input.tsx';
import { FileDrop } from '#web/ui/forms/file-drop.tsx';
import { MAX_FILE_BYTES, sendFile } from '#subjects/back-office/staff/parts/send-file.ts';

export interface Wanted {
  channel: string;
  day: string;
}

export interface StatementChannel {
  channel: string;
  name: string;
  canFetch: boolean;
}

const labels = {
  choose: '选择账单文件',
  busy: '正在读取并逐笔核对…',
  help: '支付宝账务/业务明细（CSV 或 ZIP），微信交易账单（CSV 或 GZ），最大 10M',
  field: '渠道账单文件',
};

function Result({ statement }: { statement: ImportedStatement }) {
  const isBalanced = statement.differences === 0;
  const Icon = isBalanced ? CircleCheck : CircleAlert;
  return (
    <p role="status" className={isBalanced ? 'flex gap-1.5 text-13 text-safe' : 'flex gap-1.5 text-13 text-attn'}>
      <Icon className="icon mt-0.5" aria-hidden="true" />
      {statement.repeated ? '这份账单已导入过，已重新核对：' : '已导入：'}
      {grouped(statement.lines)} 行，{isBalanced ? '全部对平' : `${grouped(statement.differences)} 条差异待处理`}
    </p>
  );
}

/** Imports one day's statement from a file, or from the channel where it offers an API. */
export function ImportStatement({
  channels,
  wanted,
  onWanted,
  onImported,
}: {
  channels: readonly StatementChannel[];
  wanted: Wanted;
  onWanted: (next: Wanted) => void;
  onImported: () => void;
}) {
  const [statement, setStatement] = useState<ImportedStatement | null>(null);
  const { busy, pending, error, send } = useMutation(
    (file: File | null, options) =>
      file
        ? sendFile(uploadStatement, file, { ...wanted })
        : call(fetchStatement, { channel: wanted.channel as PayChannelName, day: wanted.day }, options),
    {
      check: (file) => ({ send: file && file.size > MAX_FILE_BYTES ? '账单文件不能超过 10M' : undefined }),
      done: (result) => {
        setStatement(result);
        onImported();
      },
    },
  );
  const importStatement = (file: File | null) => {
    setStatement(null);
    void send(file);
  };
  const chosen = channels.find(({ channel }) => channel === wanted.channel);
  return (
    <section className="panel" aria-labelledby="take">
      <div className="panel-head">
        <h2 id="take">导入账单</h2>
      </div>
      <div className="grid gap-4 p-4">
        <div className="grid grid-cols-2 gap-3">
          <Field label="渠道" required>
            {(control) => (
              <Select
                {...control}
                value={wanted.channel}
                onChange={(event) => onWanted({ ...wanted, channel: event.target.value })}
              >
                {channels.map(({ channel, name }) => (
                  <option key={channel} value={channel}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label="账单日期" required>
            {(control) => (
              <Input
                {...control}
                type="date"
                value={wanted.day}
                onChange={(event) => onWanted({ ...wanted, day: event.target.value })}
              />
            )}
          </Field>
        </div>
        <FileDrop
          busy={busy && pending !== null}
          labels={labels}
          accept=".csv,.zip,.gz,.txt,text/csv"
          onFile={(file) => importStatement(file)}
        />
        {chosen?.canFetch && (
          <Button
            busy={busy && pending === null}
            disabled={busy && pending !== null}
            onClick={() => importStatement(null)}
          >
            <Download className="icon" aria-hidden="true" />向{chosen.name}获取
          </Button>
        )}
        <FormError>{error}</FormError>
        {statement && <Result statement={statement} />}
      </div>
    </section>
  );
}
