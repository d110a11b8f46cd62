import type { StaffPerson } from '#subjects/back-office/contract/staff.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { Button } from '#web/ui/button.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';

/** The actions on a member of staff. */
export type PersonAction = 'edit' | 'sessions' | 'reset' | 'recover' | 'status';

function State({ person }: { person: StaffPerson }) {
  if (person.state === 'disabled') return <Tag tone="danger">已停用</Tag>;
  if (person.state === 'active') return <Tag tone="safe">在用</Tag>;
  return (
    <>
      <Tag tone="attn">{person.hasPassword || person.hasFactor ? '待重新设置' : '待首次登录'}</Tag>
      <span className="mt-0.5 block text-12 text-ink-3">
        {person.inviteEnds ? `地址有效到 ${fullAt(person.inviteEnds).slice(5, 16)}` : '地址已过期，请重置'}
      </span>
    </>
  );
}

function Actions({ person, onAction }: { person: StaffPerson; onAction: (action: PersonAction) => void }) {
  const isOff = person.state === 'disabled';
  return (
    <span className="inline-flex flex-wrap justify-end gap-1.5">
      <Button size="sm" onClick={() => onAction('sessions')}>
        设备
      </Button>
      {person.canManage && (
        <>
          {!isOff && (
            <>
              <Button size="sm" onClick={() => onAction('edit')}>
                修改
              </Button>
              <Button size="sm" onClick={() => onAction('reset')}>
                重置
              </Button>
              {person.passkeys > 0 && (
                <Button size="sm" onClick={() => onAction('recover')}>
                  {person.recoveryBy === null ? '找回通行密钥' : '复核找回'}
                </Button>
              )}
            </>
          )}
          <Button size="sm" kind={isOff ? 'tonal' : 'danger'} onClick={() => onAction('status')}>
            {isOff ? '启用' : '停用'}
          </Button>
        </>
      )}
    </span>
  );
}

/** A member of staff in the list. */
export function PersonRow({
  person,
  names,
  onAction,
}: {
  person: StaffPerson;
  names: ReadonlyMap<string, string>;
  onAction: (action: PersonAction) => void;
}) {
  return (
    <tr>
      <td>
        <span className="font-medium">{person.name}</span>
        {person.isSelf && <Tag className="ml-1.5">我</Tag>}
        <span className="block text-12 text-ink-3">{person.login}</span>
      </td>
      <td>
        {person.roleName}
        {person.permissions.length > 0 && (
          <span className="block max-w-60 text-12 text-ink-3">
            另有 {person.permissions.map((code) => names.get(code) ?? code).join('、')}
          </span>
        )}
      </td>
      <td className="text-ink-2">{person.distName ?? '平台'}</td>
      <td>
        <State person={person} />
      </td>
      <td className="text-12 text-ink-3">
        {person.lastSeenTime ? <TimeLabel at={person.lastSeenTime} className="block" /> : '未登录过'}
        {person.sessions > 0 && <span className="block">{person.sessions} 处登录中</span>}
      </td>
      <td className="num">
        <Actions person={person} onAction={onAction} />
      </td>
    </tr>
  );
}
