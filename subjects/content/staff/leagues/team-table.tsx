import { useId, useState } from 'react';
import { useRevalidator } from 'react-router';
import { removeTeam, saveTeam, staffTeamList } from '#subjects/content/contract/staff-leagues.ts';
import { pictureKeyOf } from '#subjects/distributors/contract/brand-content.ts';
import type { Data, Input as Inputs } from '#contract/endpoint.ts';
import { call } from '#web/lib/api/api.ts';
import { countText } from '#web/lib/format/format.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { TeamMark } from '#web/parts/team-mark.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';
import { FilterBar, FilterKeyword } from '#subjects/back-office/staff/parts/filter-bar.tsx';
import { PictureField } from '#subjects/back-office/staff/parts/picture-field.tsx';
import { LeagueTabs } from './league-tabs.tsx';
import { FormFooter } from '#subjects/back-office/staff/parts/form-footer.tsx';

type Team = Data<typeof staffTeamList>['list'][number];

function TeamDialog({ team, onDone, onClose }: { team: Team | null; onDone: () => void; onClose: () => void }) {
  const formId = useId();
  const [form, setForm] = useState({
    name: team?.name ?? '',
    shortName: team?.shortName ?? '',
    logo: team?.logo?.split('?')[0] ?? '',
  });
  const {
    busy,
    errors,
    error,
    submit,
    form: ref,
  } = useMutation(saveTeam, {
    fields: ['name', 'shortName', 'pictureKey'],
    check: () => ({
      name: form.name.trim() === '' ? '请填写战队名称' : undefined,
      shortName: form.shortName.trim() === '' ? '请填写简称' : undefined,
    }),
    done: onDone,
  });
  const read = () => ({
    name: form.name,
    shortName: form.shortName,
    pictureKey: pictureKeyOf(form.logo) ?? '',
    ...(team && { id: team.id, version: team.version }),
  });
  const input = (label: string, name: 'name' | 'shortName', help: string) => (
    <Field label={label} required help={help} error={errors[name]}>
      {(control) => (
        <Input {...control} value={form[name]} onChange={(e) => setForm({ ...form, [name]: e.target.value })} />
      )}
    </Field>
  );
  return (
    <Dialog
      title={team ? '编辑战队' : '新建战队'}
      closeOnBackdrop={false}
      busy={busy}
      onClose={onClose}
      footer={
        <FormFooter form={formId} busy={busy}>
          保存
        </FormFooter>
      }
    >
      <form id={formId} ref={ref} noValidate className="grid gap-3" onSubmit={submit(read)}>
        {input('战队名称', 'name', '最多 20 个字')}
        {input('简称', 'shortName', '最多 6 个字，没有图标时显示前 3 个')}
        <PictureField
          label="图标"
          shape="square"
          help="正方形，网站上显示为圆形"
          url={form.logo}
          error={errors.pictureKey}
          onChange={(logo) => setForm({ ...form, logo })}
        />
        <FormError>{error}</FormError>
      </form>
    </Dialog>
  );
}

function Row({ team, onEdit }: { team: Team; onEdit: () => void }) {
  const remove = useMutation(removeTeam, {
    revalidates: true,
    done: () => toast('已删除', 'ok'),
  });
  return (
    <tr>
      <td data-wide="">
        <span className="flex items-center gap-2.5">
          <TeamMark name={team.shortName} logo={team.logo} size={28} />
          <span>
            <span className="font-medium">{team.name}</span>
            <span className="block text-12 text-ink-3">{team.shortName}</span>
          </span>
        </span>
      </td>
      <td>{team.distName || '平台'}</td>
      <td className="num" data-label="比赛">
        {team.matches}
      </td>
      <td className="num">
        {team.mayEdit ? (
          <span className="inline-flex gap-2">
            <Button size="sm" onClick={onEdit}>
              编辑
            </Button>
            {team.matches === 0 && (
              <Button size="sm" kind="ghost" busy={remove.busy} onClick={() => void remove.send({ id: team.id })}>
                删除
              </Button>
            )}
            <FormError className="row-error">{remove.error}</FormError>
          </span>
        ) : (
          <span className="text-12 text-ink-3">可选用</span>
        )}
      </td>
    </tr>
  );
}

/** Teams that leagues choose from. */
export function TeamTable({
  first,
  query,
}: {
  first: Data<typeof staffTeamList>;
  query: Inputs<typeof staffTeamList>;
}) {
  const { revalidate } = useRevalidator();
  const [editing, setEditing] = useState<Team | 'new' | null>(null);
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(staffTeamList, { ...query, cursor }, { quiet: true }),
    ({ id }) => id,
  );
  const add = (
    <Button size="sm" kind="primary" onClick={() => setEditing('new')}>
      新建战队
    </Button>
  );
  return (
    <>
      <div className="admin-head">
        <h1>赛事</h1>
        <p>{countText(first.total, first.totalCapped ?? false)} 支战队</p>
        <div className="ml-auto flex flex-wrap gap-2 max-lg:ml-0">
          <FilterBar names={['keyWord']} preserve={['tab']}>
            <FilterKeyword placeholder="名称或简称" />
          </FilterBar>
          {add}
        </div>
      </div>
      <LeagueTabs current="teams" />
      <section className="panel overflow-hidden" aria-label="战队">
        {items.length === 0 ? (
          <EmptyState title="没有符合条件的战队" action={add} />
        ) : (
          <>
            <AdminTable columns={['战队', '属于', { num: '比赛' }, { num: '操作' }]}>
              {items.map((team) => (
                <Row key={team.id} team={team} onEdit={() => setEditing(team)} />
              ))}
            </AdminTable>
            <ListEnd next={next} busy={busy} error={error} onMore={more} />
          </>
        )}
      </section>
      {editing && (
        <TeamDialog
          team={editing === 'new' ? null : editing}
          onDone={() => {
            setEditing(null);
            toast('已保存', 'ok');
            void revalidate();
          }}
          onClose={() => setEditing(null)}
        />
      )}
    </>
  );
}
