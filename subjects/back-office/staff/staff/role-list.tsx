import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { removeStaffRole, type StaffRoleItem } from '#subjects/back-office/contract/staff.ts';
import { call } from '#web/lib/api/api.ts';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import type { StaffOptions } from './permission-list.tsx';
import { RoleDialog } from './role-dialog.tsx';

const ABOUT: Readonly<Record<string, string>> = {
  admin: '始终拥有全部权限，不能修改',
  none: '没有自带权限，逐项授予',
};

function RoleRow({
  role,
  names,
  onEdit,
  onRemove,
}: {
  role: StaffRoleItem;
  names: ReadonlyMap<string, string>;
  onEdit: () => void;
  onRemove: () => void;
}) {
  return (
    <li className="grid gap-1.5 border-b border-line-soft px-4 py-3 last:border-b-0">
      <div className="flex flex-wrap items-center gap-2 text-13">
        <b className="font-semibold">{role.name}</b>
        {!role.isSystem && <Tag>自建</Tag>}
        {role.isEdited && <Tag tone="attn">已改过默认权限</Tag>}
        {role.siteOnly && <Tag>限分销站</Tag>}
        <span className="text-12 text-ink-3">{role.members} 位员工</span>
        <span className="ml-auto flex gap-2">
          {role.canEdit && (
            <Button size="sm" onClick={onEdit}>
              修改权限
            </Button>
          )}
          {role.canEdit && !role.isSystem && (
            <Button size="sm" kind="ghost" onClick={onRemove}>
              删除
            </Button>
          )}
        </span>
      </div>
      <p className="text-12 text-ink-2">
        {ABOUT[role.code] ?? (role.permissions.map((code) => names.get(code) ?? code).join('、') || '没有权限')}
      </p>
    </li>
  );
}

/** The roles with their permissions. */
export function RoleList({ options }: { options: StaffOptions }) {
  const { revalidate } = useRevalidator();
  const [editing, setEditing] = useState<{ role: StaffRoleItem | null } | null>(null);
  const [removing, setRemoving] = useState<StaffRoleItem | null>(null);
  const names = new Map(options.permissions.map(({ code, name }) => [code, name]));
  const done = (text: string) => {
    toast(text, 'ok');
    setEditing(null);
    setRemoving(null);
    void revalidate();
  };
  return (
    <section aria-label="角色">
      {options.canManage && (
        <div className="flex items-center gap-3 border-b border-line-soft px-4 py-2.5">
          <p className="text-12 text-ink-3">角色是一组权限，改动后从下一次操作起对使用它的员工生效。</p>
          <Button size="sm" kind="primary" className="ml-auto shrink-0" onClick={() => setEditing({ role: null })}>
            新建角色
          </Button>
        </div>
      )}
      <ul>
        {options.roles.map((role) => (
          <RoleRow
            key={role.code}
            role={role}
            names={names}
            onEdit={() => setEditing({ role })}
            onRemove={() => setRemoving(role)}
          />
        ))}
      </ul>
      {editing && (
        <RoleDialog
          role={editing.role}
          options={options}
          onDone={() => done(editing.role ? '角色已保存' : '角色已新建')}
          onClose={() => setEditing(null)}
        />
      )}
      {removing && (
        <ConfirmDialog
          title={`删除角色 ${removing.name}`}
          action="删除"
          danger
          question="没有员工使用时才能删除。"
          send={(_, options) => call(removeStaffRole, { code: removing.code }, options)}
          onDone={() => done('角色已删除')}
          onClose={() => setRemoving(null)}
        />
      )}
    </section>
  );
}
