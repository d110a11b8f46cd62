import { useId, useState } from 'react';
import { saveStaffRole, type StaffRoleItem } from '#subjects/back-office/contract/staff.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Checkbox, Input } from '#web/ui/forms/input.tsx';
import { PermissionList, type StaffOptions } from './permission-list.tsx';
import { FormFooter } from '../parts/form-footer.tsx';

/** Creates a role or changes one; a shipped one can be reset to its shipped permissions. */
export function RoleDialog({
  role,
  options,
  onDone,
  onClose,
}: {
  /** Null for a new one. */
  role: StaffRoleItem | null;
  options: StaffOptions;
  onDone: () => void;
  onClose: () => void;
}) {
  const [name, setName] = useState(role?.name ?? '');
  const [chosen, setChosen] = useState<string[]>(role?.permissions ?? []);
  const [siteOnly, setSiteOnly] = useState(role?.siteOnly ?? false);
  const formId = useId();
  const { form, busy, errors, send, submit } = useMutation(saveStaffRole, {
    fields: ['name', 'permissions'],
    check: (input) => ({
      name: input.name.trim() === '' ? '请输入角色名称' : undefined,
      permissions: !input.asShipped && chosen.length === 0 ? '请至少选择一项权限' : undefined,
    }),
    done: onDone,
  });
  const body = (asShipped = false) => ({
    ...(role && { code: role.code }),
    name: name.trim(),
    permissions: chosen,
    siteOnly: siteOnly ? ('1' as const) : ('0' as const),
    ...(asShipped && { asShipped: '1' as const }),
  });
  return (
    <Dialog
      title={role ? `修改角色 ${role.name}` : '新建角色'}
      busy={busy}
      onClose={onClose}
      closeOnBackdrop={false}
      footer={
        <>
          {role?.isEdited && (
            <Button className="mr-auto" disabled={busy} onClick={() => void send(body(true))}>
              恢复默认权限
            </Button>
          )}
          <FormFooter form={formId} busy={busy}>
            {role ? '保存' : '新建'}
          </FormFooter>
        </>
      }
    >
      <form id={formId} ref={form} className="grid gap-4" noValidate onSubmit={submit(() => body())}>
        {role !== null && role.members > 0 && (
          <p className="text-13 text-ink-2">有 {role.members} 位员工使用这个角色，保存后立即生效。</p>
        )}
        <Field label="角色名称" required error={errors.name}>
          {(control) => (
            <Input
              {...control}
              name="name"
              maxLength={20}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        {role === null && options.isPlatform && (
          <Checkbox name="siteOnly" checked={siteOnly} onChange={(event) => setSiteOnly(event.target.checked)}>
            只用于分销站的员工
          </Checkbox>
        )}
        <PermissionList
          label="权限"
          options={options.permissions}
          chosen={chosen}
          onChange={setChosen}
          error={errors.permissions}
        />
        <FormError>{errors.send}</FormError>
      </form>
    </Dialog>
  );
}
