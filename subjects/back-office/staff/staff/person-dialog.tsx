import { useId, useState } from 'react';
import { saveStaff, type StaffPerson } from '#subjects/back-office/contract/staff.ts';
import type { Data } from '#contract/endpoint.ts';
import type { FormErrors } from '#web/lib/forms/form-errors.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input, Select } from '#web/ui/forms/input.tsx';
import { PermissionList, type StaffOptions } from './permission-list.tsx';
import { FormFooter } from '../parts/form-footer.tsx';

interface Values {
  login: string;
  name: string;
  email: string;
  role: string;
  distId: string;
  permissions: string[];
}

const valuesOf = (person: StaffPerson | null, options: StaffOptions): Values => ({
  login: person?.login ?? '',
  name: person?.name ?? '',
  email: person?.email ?? '',
  role: person?.role ?? '',
  distId: String(
    person?.distId ?? (options.sites.length === 1 && !options.isPlatform ? options.sites[0]?.distId : '') ?? '',
  ),
  permissions: person?.permissions ?? [],
});

const missing = ({ login, name, role }: Values, isNew: boolean): FormErrors => ({
  login: isNew && login.trim() === '' ? '请输入登录名' : undefined,
  name: name.trim() === '' ? '请输入姓名' : undefined,
  role: role === '' ? '请选择角色' : undefined,
});

/** Role, site and individual permissions. */
function Grants({
  options,
  values,
  errors,
  set,
}: {
  options: StaffOptions;
  values: Values;
  errors: FormErrors;
  set: (next: Partial<Values>) => void;
}) {
  const role = options.roles.find(({ code }) => code === values.role);
  const roles = options.roles.filter(
    ({ code, canGive, distId }) =>
      (canGive || code === values.role) && (distId === null || String(distId) === values.distId),
  );
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="站点" required error={errors.distId} help="分销站的员工只看得到本站的内容">
          {(control) => (
            <Select {...control} value={values.distId} onChange={(event) => set({ distId: event.target.value })}>
              {options.isPlatform && <option value="">平台（全部站点）</option>}
              {options.sites.map(({ distId, name }) => (
                <option key={distId} value={distId}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="角色" required error={errors.role}>
          {(control) => (
            <Select {...control} value={values.role} onChange={(event) => set({ role: event.target.value })}>
              <option value="">请选择</option>
              {roles.map(({ code, name, siteOnly }) => (
                <option key={code} value={code}>
                  {name}
                  {siteOnly ? '（限分销站）' : ''}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <details open={values.role === 'none' || values.permissions.length > 0}>
        <summary className="cursor-pointer text-13 text-ink-2">角色以外的单项权限</summary>
        <div className="mt-3">
          <PermissionList
            label="单项权限"
            options={options.permissions}
            included={role?.permissions ?? []}
            chosen={values.permissions}
            onChange={(permissions) => set({ permissions })}
            error={errors.permissions}
          />
        </div>
      </details>
    </>
  );
}

/** Creates a member of staff or changes one; after an error the input is kept. */
export function PersonDialog({
  person,
  options,
  onDone,
  onClose,
}: {
  /** Null for a new one. */
  person: StaffPerson | null;
  options: StaffOptions;
  onDone: (saved: Data<typeof saveStaff>, login: string) => void;
  onClose: () => void;
}) {
  const [values, setValues] = useState(() => valuesOf(person, options));
  const formId = useId();
  const set = (next: Partial<Values>) => setValues((before) => ({ ...before, ...next }));
  const { form, busy, errors, submit } = useMutation(saveStaff, {
    fields: ['login', 'name', 'email', 'role', 'distId', 'permissions'],
    check: () => missing(values, person === null),
    done: (saved) => onDone(saved, person?.login ?? values.login.trim().toLowerCase()),
  });
  const body = () => ({
    ...(person ? { staffId: person.staffId } : { login: values.login }),
    name: values.name.trim(),
    email: values.email.trim(),
    role: values.role,
    permissions: values.permissions,
    ...(values.distId !== '' && { distId: values.distId }),
  });
  return (
    <Dialog
      title={person ? `修改 ${person.name}` : '新建员工'}
      busy={busy}
      onClose={onClose}
      closeOnBackdrop={false}
      footer={
        <FormFooter form={formId} busy={busy}>
          {person ? '保存' : '新建'}
        </FormFooter>
      }
    >
      <form id={formId} ref={form} className="grid gap-3" noValidate onSubmit={submit(body)}>
        <div className="grid gap-3 sm:grid-cols-2">
          <Field
            label="登录名"
            required={person === null}
            error={errors.login}
            help={person ? '登录名不能修改' : '小写字母、数字、点或横线'}
          >
            {(control) => (
              <Input
                {...control}
                name="login"
                autoComplete="off"
                maxLength={40}
                disabled={person !== null}
                value={values.login}
                onChange={(event) => set({ login: event.target.value })}
              />
            )}
          </Field>
          <Field label="姓名" required error={errors.name} help="用户和同事看到的称呼">
            {(control) => (
              <Input
                {...control}
                name="name"
                maxLength={20}
                value={values.name}
                onChange={(event) => set({ name: event.target.value })}
              />
            )}
          </Field>
        </div>
        <Field label="工作邮箱" error={errors.email} help="邮件服务开通后，一次性地址寄到这里">
          {(control) => (
            <Input
              {...control}
              name="email"
              type="email"
              autoComplete="off"
              maxLength={120}
              value={values.email}
              onChange={(event) => set({ email: event.target.value })}
            />
          )}
        </Field>
        <Grants options={options} values={values} errors={errors} set={set} />
        <FormError>{errors.send}</FormError>
      </form>
    </Dialog>
  );
}
