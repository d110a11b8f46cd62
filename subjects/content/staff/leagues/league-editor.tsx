import { useState } from 'react';
import { useNavigate } from 'react-router';
import { saveLeague, type staffLeagueInfo, type staffMatchList } from '#subjects/content/contract/staff-leagues.ts';
import { pictureKeyOf } from '#subjects/distributors/contract/brand-content.ts';
import type { Data, Input as Inputs } from '#contract/endpoint.ts';
import { PublicationStatus } from '#contract/rules/statuses.ts';
import type { FormErrors } from '#web/lib/forms/form-errors.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input, Select } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { ArticleStatus } from '../content/article-status.tsx';
import { SiteSelect } from '#subjects/back-office/staff/parts/form/site-select.tsx';
import { BackHead } from '#subjects/back-office/staff/parts/back-head.tsx';
import { PictureField } from '#subjects/back-office/staff/parts/picture-field.tsx';
import { MatchList } from './match-list.tsx';

type Info = Data<typeof staffLeagueInfo>;
const LIST = '/backstage/leagues';
const SHOWN = ['gameId', 'name', 'startDay', 'endDay', 'sort'] as const;
const FIELDS = [...SHOWN, 'stage', 'distId', 'pictureKey'] as const;

/** Returns the errors of the form; the dates are texts of the form 2026-11-27. */
const leagueErrors = ({
  gameId,
  name,
  startDay,
  endDay,
  sort,
}: Record<(typeof SHOWN)[number], string>): FormErrors => ({
  name: [...name.trim()].length < 2 ? '请填写赛事名称，至少 2 个字' : undefined,
  gameId: gameId === '' ? '请选择游戏' : undefined,
  startDay: startDay === '' ? '请填写开始日期' : undefined,
  endDay:
    endDay === '' ? '请填写结束日期' : startDay !== '' && endDay < startDay ? '结束日期不能早于开始日期' : undefined,
  sort: /^\d{1,3}$/.test(sort.trim()) ? undefined : '请填写 0 到 999 的整数',
});

/** The fields of the league: name, sites, dates and order. */
function LeagueForm({ info }: { info: Info }) {
  const { league, games, sites } = info;
  const navigate = useNavigate();
  const [form, setForm] = useState({
    gameId: league ? String(league.gameId) : '',
    name: league?.name ?? '',
    stage: league?.stage ?? '',
    startDay: league?.startDay ?? '',
    endDay: league?.endDay ?? '',
    sort: String(league?.sort ?? 0),
    distId: league?.distId ? String(league.distId) : '',
    logo: league?.logo ?? '',
  });
  const {
    busy,
    errors,
    error,
    submit,
    form: ref,
  } = useMutation(saveLeague, {
    fields: FIELDS,
    check: () => leagueErrors(form),
    revalidates: true,
    done: async ({ id }) => {
      toast('已保存', 'ok');
      if (!league) await navigate(`${LIST}?id=${id}`, { replace: true });
    },
  });
  const set = (change: Partial<typeof form>) => setForm({ ...form, ...change });
  const read = () => {
    const { logo, ...rest } = form;
    return { ...rest, pictureKey: pictureKeyOf(logo) ?? '', ...(league && { id: league.id, version: league.version }) };
  };
  const field = (label: string, name: 'name' | 'stage' | 'startDay' | 'endDay' | 'sort', more: FieldMore = {}) => (
    <Field label={label} required={more.isRequired ?? true} help={more.help} error={errors[name]}>
      {(control) => (
        <Input
          {...control}
          type={more.type ?? 'text'}
          inputMode={name === 'sort' ? 'numeric' : undefined}
          value={form[name]}
          onChange={(e) => set({ [name]: e.target.value })}
        />
      )}
    </Field>
  );
  return (
    <form ref={ref} noValidate className="panel grid gap-4 p-4" onSubmit={submit(read)}>
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-4">
        {field('赛事名称', 'name')}
        {field('阶段', 'stage', { isRequired: false, help: '例如 秋季赛 第 9 周' })}
        <Field label="游戏" required error={errors.gameId}>
          {(control) => (
            <Select {...control} value={form.gameId} onChange={(e) => set({ gameId: e.target.value })}>
              <option value="">请选择</option>
              {games.map(({ gameId, name }) => (
                <option key={gameId} value={gameId}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <SiteSelect sites={sites} value={form.distId} error={errors.distId} onChange={(distId) => set({ distId })} />
        {field('开始日期', 'startDay', { type: 'date' })}
        {field('结束日期', 'endDay', { type: 'date' })}
        {field('排序', 'sort', { help: '0 到 999，小的排在前面' })}
        <PictureField
          label="图标"
          shape="square"
          url={form.logo}
          error={errors.pictureKey}
          onChange={(logo) => set({ logo })}
        />
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <FormError>{error}</FormError>
        <Button type="submit" kind="primary" busy={busy} className="ml-auto">
          {league ? '保存' : '保存草稿'}
        </Button>
      </div>
    </form>
  );
}

interface FieldMore {
  help?: string;
  type?: 'text' | 'date';
  isRequired?: boolean;
}

/** Editor of a league, with its matches once it exists. */
export function LeagueEditor({
  info,
  matches,
}: {
  info: Info;
  matches: { first: Data<typeof staffMatchList>; query: Inputs<typeof staffMatchList> } | null;
}) {
  const { league } = info;
  return (
    <>
      <BackHead to={LIST} name="赛事">
        <h1>{league ? league.name : '新建赛事'}</h1>
        {league && <ArticleStatus status={league.status} />}
        {league?.status === PublicationStatus.Published && <p>保存后 2 秒内生效</p>}
      </BackHead>
      <LeagueForm key={league?.version ?? 0} info={info} />
      {league && matches && <MatchList league={league} teams={info.teams} {...matches} />}
    </>
  );
}
