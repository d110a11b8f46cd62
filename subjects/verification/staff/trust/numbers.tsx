import { useState } from 'react';
import { useRevalidator } from 'react-router';
import {
  addNumber,
  endNumber,
  type StaffNumber,
  staffNumberList,
} from '#subjects/verification/contract/staff-trust.ts';
import type { Data } from '#contract/endpoint.ts';
import { type FakeKind, fakeKindNames } from '../../rules/black.ts';
import { call } from '#web/lib/api/api.ts';
import { typed } from '#web/lib/forms/form-errors.ts';
import { SubmitButton, TextField } from '#subjects/accounts/web/parts/account/form-parts.tsx';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Checkbox, Select } from '#web/ui/forms/input.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';
import { At } from '#subjects/back-office/staff/list/at.tsx';

function AddDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const { form, errors, busy, submit } = useMutation(
    (target: HTMLFormElement, options) =>
      call(
        addNumber,
        {
          kind: typed(target, 'kind') as FakeKind,
          value: typed(target, 'value').trim(),
          name: typed(target, 'name').trim(),
          duty: typed(target, 'duty').trim(),
          shown: typed(target, 'shown') === '1',
        },
        options,
      ),
    {
      fields: [],
      check: (target) => ({
        value: typed(target, 'value').trim().length < 4 ? '号码至少 4 个字' : undefined,
        name: typed(target, 'name').trim() === '' ? '使用人不能为空' : undefined,
      }),
      done: () => {
        toast('已登记', 'ok');
        onDone();
        return true;
      },
    },
  );
  return (
    <Dialog title="登记官方号码" onClose={onClose}>
      <form ref={form} method="post" noValidate className="grid gap-4" onSubmit={submit((element) => element)}>
        <Field label="类型" required>
          {(control) => (
            <Select {...control} name="kind" defaultValue="qq">
              {Object.entries(fakeKindNames).map(([kind, name]) => (
                <option key={kind} value={kind}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <TextField label="号码" name="value" maxLength={120} autoComplete="off" error={errors.value} />
        <TextField label="使用人" name="name" maxLength={40} autoComplete="off" error={errors.name} />
        <TextField label="职责" name="duty" isOptional maxLength={40} autoComplete="off" error={errors.duty} />
        <Checkbox name="shown" value="1">
          在客服验真页展示
        </Checkbox>
        <FormError>{errors.send}</FormError>
        <SubmitButton busy={busy}>登记</SubmitButton>
      </form>
    </Dialog>
  );
}

/** The official numbers that verification confirms; staff with the permission can add and remove them. */
export function Numbers({ first, may }: { first: Data<typeof staffNumberList>; may: boolean }) {
  const { revalidate } = useRevalidator();
  const [adding, setAdding] = useState(false);
  const [ending, setEnding] = useState<StaffNumber | null>(null);
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(staffNumberList, { cursor, pageSize: 30 }, { quiet: true }),
    ({ numberId }) => numberId,
  );
  const done = () => {
    setAdding(false);
    setEnding(null);
    void revalidate();
  };
  return (
    <section className="panel overflow-hidden" aria-label="官方号码">
      {may && (
        <p className="flex border-b border-line-soft px-4 py-2.5">
          <Button size="sm" kind="tonal" onClick={() => setAdding(true)}>
            登记号码
          </Button>
        </p>
      )}
      {items.length === 0 ? (
        <EmptyState title="还没有登记号码">登记后，用户验证这些号码会得到“真客服”。</EmptyState>
      ) : (
        <>
          <AdminTable columns={['类型', '号码', '使用人', '站点', '登记', { num: '操作' }]}>
            {items.map((item) => (
              <tr key={item.numberId}>
                <td>{item.kindName}</td>
                <td className="font-medium">
                  {item.value}
                  {item.shown && <Tag className="ml-1.5">展示</Tag>}
                </td>
                <td>
                  {item.name}
                  {item.duty && <span className="ml-1.5 text-12 text-ink-3">{item.duty}</span>}
                </td>
                <td>{item.siteName}</td>
                <td data-label="登记">
                  <At time={item.createTime} />
                </td>
                <td className="num">
                  {may && (
                    <Button size="sm" onClick={() => setEnding(item)}>
                      停用
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </AdminTable>
          <ListEnd next={next} busy={busy} error={error} onMore={more} />
        </>
      )}
      {adding && <AddDialog onDone={done} onClose={() => setAdding(false)} />}
      {ending && (
        <ReasonDialog
          title="停用官方号码"
          action="停用"
          question={`${ending.kindName} ${ending.value}（${ending.name}）停用后，用户验证会得到“假客服”。`}
          danger
          send={async () => {
            await call(endNumber, { numberId: ending.numberId }, { quiet: true });
            toast('已停用', 'ok');
          }}
          onDone={done}
          onClose={() => setEnding(null)}
        />
      )}
    </section>
  );
}
