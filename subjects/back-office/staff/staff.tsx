import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { recoverPasskeys } from '#subjects/back-office/contract/passkeys.ts';
import {
  resetStaff,
  setStaffStatus,
  staffOptions,
  staffPeople,
  type StaffPerson,
  staffStates,
} from '#subjects/back-office/contract/staff.ts';
import { NO_SITE } from '../rules/staff.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { countText } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { Button } from '#web/ui/button.tsx';
import { Radio } from '#web/ui/forms/input.tsx';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { AdminTable } from './parts/admin-table.tsx';
import { FilterBar, FilterKeyword, FilterSelect } from './parts/filter-bar.tsx';
import { ReasonDialog } from './parts/dialogs/reason-dialog.tsx';
import { StatusTabs } from './parts/status-tabs.tsx';
import { AddressDialog } from './staff/address-dialog.tsx';
import { PersonDialog } from './staff/person-dialog.tsx';
import { type PersonAction, PersonRow } from './staff/person-row.tsx';
import { RoleList } from './staff/role-list.tsx';
import { SessionsDialog } from './staff/sessions-dialog.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '员工与角色', noindex: true });
}

const PAGE = 30;

export async function loader(args: LoaderFunctionArgs) {
  const { call: request } = market(args);
  const of = (name: string) => args.url.searchParams.get(name) || undefined;
  const isRoles = of('tab') === 'roles';
  const query = {
    state: staffStates.find((state) => state === of('state')),
    keyWord: of('keyWord'),
    distId: of('distId'),
    pageSize: PAGE,
  };
  const [options, first] = await Promise.all([request(staffOptions, {}), request(staffPeople, query)]);
  return { options, first, query, isRoles };
}

type Invite = Data<typeof resetStaff>;
type Chosen = { person: StaffPerson; action: PersonAction };

const RESETS = [
  ['password', '密码', '原密码立即失效，由本人用一次性地址和动态码重新设置。'],
  ['factor', '二次验证', '原来的身份验证器立即失效，由本人用一次性地址和密码重新绑定。'],
  ['both', '密码和二次验证', '两样都立即失效，由本人用一次性地址重新设置。'],
] as const;

/** Selects what to reset, with a reason; the one-time URL is shown next. */
function ResetDialog({
  person: { staffId, name },
  onReset,
  onClose,
}: {
  person: StaffPerson;
  onReset: (invite: Invite) => void;
  onClose: () => void;
}) {
  const [what, setWhat] = useState<(typeof RESETS)[number][0]>('password');
  return (
    <ReasonDialog
      title={`重置：${name}`}
      action="重置"
      danger
      question={`${RESETS.find(([key]) => key === what)?.[2] ?? ''}现在的登录全部退出。`}
      reasons={['本人忘记密码', '本人更换手机', '怀疑账号泄露']}
      reasonLabel="原因"
      isReasonNeeded
      send={async (reason, options) => onReset(await call(resetStaff, { staffId, what, reason }, options))}
      onDone={() => {}}
      onClose={onClose}
    >
      <fieldset className="flex flex-wrap gap-x-6 gap-y-2">
        <legend className="sr-only">重置的内容</legend>
        {RESETS.map(([key, label]) => (
          <Radio key={key} name="what" checked={what === key} onChange={() => setWhat(key)}>
            {label}
          </Radio>
        ))}
      </fieldset>
    </ReasonDialog>
  );
}

/** Confirms disabling or enabling, with a reason. */
function StatusDialog({ person, onDone, onClose }: { person: StaffPerson; onDone: () => void; onClose: () => void }) {
  const { staffId, name } = person;
  const isOff = person.state === 'disabled';
  return (
    <ReasonDialog
      title={`${isOff ? '启用' : '停用'}：${name}`}
      action={isOff ? '启用' : '停用'}
      danger={!isOff}
      question={
        isOff
          ? '启用后用原来的密码和动态码登录；没有设置过的请再重置。'
          : '立即退出所有登录，接待中的会话转给同事；已做的操作和记录都保留。'
      }
      reasons={isOff ? ['返岗'] : ['离职', '转岗', '怀疑账号泄露']}
      reasonLabel="原因"
      isReasonNeeded
      send={(reason, options) =>
        call(setStaffStatus, { staffId, state: isOff ? 'active' : 'disabled', reason }, options)
      }
      onDone={() => {
        toast(isOff ? '已启用' : '已停用', 'ok');
        onDone();
      }}
      onClose={onClose}
    />
  );
}

/** Requests the removal of a colleague's passkeys, or decides on another administrator's request. */
function RecoverDialog({ person, onDone, onClose }: { person: StaffPerson; onDone: () => void; onClose: () => void }) {
  const { staffId, name, recoveryBy } = person;
  const [decision, setDecision] = useState<'confirm' | 'reject'>('confirm');
  const action = recoveryBy === null ? '提交' : decision === 'confirm' ? '通过' : '退回';
  return (
    <ReasonDialog
      title={`找回通行密钥：${name}`}
      action={action}
      danger={decision === 'confirm'}
      question={
        recoveryBy === null
          ? '提交后由另一位管理员复核；通过后他的全部通行密钥失效并退出登录，再用密码和动态码登录、重新登记。'
          : `${recoveryBy} 已提交，请先当面或打电话向 ${name} 本人核实。`
      }
      reasons={['本人设备丢失', '本人更换设备']}
      reasonLabel="原因"
      isReasonNeeded
      send={async (reason, options) => {
        const { state } = await call(recoverPasskeys, { staffId, act: decision, reason }, options);
        toast(
          { waiting: '已提交，待另一位管理员复核', done: '已移除，可以重新登记了', rejected: '已退回' }[state],
          'ok',
        );
      }}
      onDone={onDone}
      onClose={onClose}
    >
      {recoveryBy !== null && (
        <fieldset className="flex flex-wrap gap-x-6 gap-y-2">
          <legend className="sr-only">复核结果</legend>
          <Radio name="act" checked={decision === 'confirm'} onChange={() => setDecision('confirm')}>
            已核实，移除通行密钥
          </Radio>
          <Radio name="act" checked={decision === 'reject'} onChange={() => setDecision('reject')}>
            退回
          </Radio>
        </fieldset>
      )}
    </ReasonDialog>
  );
}

/** The open dialog, and the one-time URL that was just created. */
function useDialogs() {
  const { revalidate } = useRevalidator();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [isAdding, setIsAdding] = useState(false);
  const [invited, setGiven] = useState<{ login: string; invite: Invite } | null>(null);
  const close = () => {
    setChosen(null);
    setIsAdding(false);
  };
  const done = () => {
    close();
    void revalidate();
  };
  const give = (login: string, invite: Invite) => {
    setGiven({ login, invite });
    done();
  };
  return { chosen, setChosen, isAdding, setIsAdding, given: invited, setGiven, close, done, give, revalidate };
}

function Filters({ sites }: { sites: readonly { distId: number; name: string }[] }) {
  return (
    <FilterBar names={['state', 'distId', 'keyWord']}>
      <FilterSelect
        name="state"
        label="状态"
        all="状态不限"
        options={[
          ['active', '在用'],
          ['invited', '待设置'],
          ['disabled', '已停用'],
        ]}
      />
      {sites.length > 1 && (
        <FilterSelect
          name="distId"
          label="站点"
          all="站点不限"
          options={[[String(NO_SITE), '平台'], ...sites.map(({ distId, name }) => [distId, name] as const)]}
        />
      )}
      <FilterKeyword placeholder="按姓名或账号查找" />
    </FilterBar>
  );
}

/** Members of staff and their roles: permissions, sessions, and one-time URLs. */
export default function StaffPage() {
  const { options, first, query, isRoles } = useLoaderData<typeof loader>();
  const dialogs = useDialogs();
  const { chosen, given } = dialogs;
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(staffPeople, { ...query, cursor }, { quiet: true }),
    ({ staffId }) => staffId,
  );
  const names = new Map(options.permissions.map(({ code, name }) => [code, name]));
  return (
    <>
      <div className="admin-head">
        <h1>员工与角色</h1>
        <p>{countText(first.total, first.totalCapped)} 人</p>
        <div className="ml-auto flex flex-wrap gap-2 max-lg:ml-0">
          {!isRoles && <Filters sites={options.sites} />}
          {!isRoles && options.canManage && (
            <Button size="sm" kind="primary" onClick={() => dialogs.setIsAdding(true)}>
              新建员工
            </Button>
          )}
        </div>
      </div>
      <div className="panel mb-4 overflow-hidden">
        <StatusTabs
          name="tab"
          label="员工与角色"
          items={[
            { key: 'people', text: '员工' },
            { key: 'roles', text: '角色' },
          ]}
        />
        {isRoles ? (
          <RoleList options={options} />
        ) : items.length === 0 ? (
          <EmptyState title="没有符合条件的员工">换一个条件，或新建员工。</EmptyState>
        ) : (
          <AdminTable columns={['员工', '角色', '站点', '状态', '最近使用', { num: '操作' }]}>
            {items.map((person) => (
              <PersonRow
                key={person.staffId}
                person={person}
                names={names}
                onAction={(action) => dialogs.setChosen({ person, action })}
              />
            ))}
          </AdminTable>
        )}
        {!isRoles && <ListEnd next={next} busy={busy} error={error} onMore={more} />}
      </div>
      {dialogs.isAdding && (
        <PersonDialog
          person={null}
          options={options}
          onDone={({ invite }, login) => (invite ? dialogs.give(login, invite) : dialogs.done())}
          onClose={dialogs.close}
        />
      )}
      {chosen?.action === 'edit' && (
        <PersonDialog
          person={chosen.person}
          options={options}
          onDone={() => {
            toast('已保存', 'ok');
            dialogs.done();
          }}
          onClose={dialogs.close}
        />
      )}
      {chosen?.action === 'sessions' && (
        <SessionsDialog person={chosen.person} onChanged={() => void dialogs.revalidate()} onClose={dialogs.close} />
      )}
      {chosen?.action === 'reset' && (
        <ResetDialog
          person={chosen.person}
          onReset={(invite) => dialogs.give(chosen.person.login, invite)}
          onClose={dialogs.close}
        />
      )}
      {chosen?.action === 'recover' && (
        <RecoverDialog person={chosen.person} onDone={dialogs.done} onClose={dialogs.close} />
      )}
      {chosen?.action === 'status' && (
        <StatusDialog person={chosen.person} onDone={dialogs.done} onClose={dialogs.close} />
      )}
      {given && <AddressDialog login={given.login} invite={given.invite} onClose={() => dialogs.setGiven(null)} />}
    </>
  );
}
