import { useId, useState } from 'react';
import { saveMatch, type staffLeagueInfo, type staffMatchList } from '#subjects/content/contract/staff-leagues.ts';
import type { Data } from '#contract/endpoint.ts';
import { matchFault, MATCH_FORMATS, matchStatuses, matchStatusNames, type MatchStatus } from '../../rules/league.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input, Select } from '#web/ui/forms/input.tsx';
import { FormFooter } from '#subjects/back-office/staff/parts/form-footer.tsx';

type Match = Data<typeof staffMatchList>['list'][number];
type Info = Data<typeof staffLeagueInfo>;

const FIELDS = ['homeId', 'awayId', 'startTime', 'bestOf', 'homeScore', 'awayScore', 'status', 'watchUrl'] as const;

/** A match with its teams, time, score and state; invalid input is rejected before anything is sent. */
export function MatchDialog({
  league,
  teams,
  match,
  onDone,
  onClose,
}: {
  league: NonNullable<Info['league']>;
  teams: Info['teams'];
  match: Match | null;
  onDone: () => void;
  onClose: () => void;
}) {
  const formId = useId();
  const [form, setForm] = useState({
    homeId: match ? String(match.home.teamId) : '',
    awayId: match ? String(match.away.teamId) : '',
    startTime: match?.startTime.slice(0, 16) ?? '',
    bestOf: String(match?.bestOf ?? 5),
    homeScore: String(match?.home.score ?? 0),
    awayScore: String(match?.away.score ?? 0),
    status: (match?.status ?? 'waiting') as MatchStatus,
    watchUrl: match?.watchUrl ?? '',
  });
  const check = () => {
    const missing = {
      homeId: form.homeId ? '' : '请选择主队',
      awayId: form.awayId ? '' : '请选择客队',
      startTime: form.startTime ? '' : '请填写开赛时间',
    };
    if (Object.values(missing).some(Boolean)) return missing;
    const { homeId, awayId, bestOf, homeScore, awayScore, status } = form;
    const [home, away] = [Number(homeScore), Number(awayScore)];
    // Non-numeric input is left to the server, which names the field.
    if (!Number.isInteger(home) || !Number.isInteger(away)) return {};
    const fault = matchFault({
      homeId: Number(homeId),
      awayId: Number(awayId),
      bestOf: Number(bestOf),
      homeScore: home,
      awayScore: away,
      status,
    });
    return fault ? { [fault.field]: fault.text } : {};
  };
  const { busy, errors, error, submit, form: ref } = useMutation(saveMatch, { fields: FIELDS, check, done: onDone });
  const set = (change: Partial<typeof form>) => setForm({ ...form, ...change });
  const read = () => ({ ...form, leagueId: league.id, ...(match && { id: match.id, version: match.version }) });
  const input = (label: string, name: 'startTime' | 'homeScore' | 'awayScore' | 'watchUrl', help?: string) => (
    <Field label={label} required={name !== 'watchUrl'} help={help} error={errors[name]}>
      {(control) => (
        <Input
          {...control}
          type={name === 'startTime' ? 'datetime-local' : 'text'}
          inputMode={name.endsWith('Score') ? 'numeric' : undefined}
          value={form[name]}
          onChange={(e) => set({ [name]: e.target.value })}
        />
      )}
    </Field>
  );
  const choice = (
    label: string,
    name: 'homeId' | 'awayId' | 'bestOf' | 'status',
    options: readonly (readonly [value: string, label: string])[],
  ) => (
    <Field label={label} required error={errors[name]}>
      {(control) => (
        <Select {...control} value={form[name]} onChange={(e) => set({ [name]: e.target.value })}>
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
  const teamOptions = [['', '请选择'], ...teams.map(({ teamId, name }) => [String(teamId), name] as const)] as const;
  return (
    <Dialog
      title={match ? '编辑比赛' : '新建比赛'}
      closeOnBackdrop={false}
      busy={busy}
      onClose={onClose}
      footer={
        <FormFooter form={formId} busy={busy}>
          保存
        </FormFooter>
      }
    >
      <form id={formId} ref={ref} noValidate className="grid items-start gap-3 sm:grid-cols-2" onSubmit={submit(read)}>
        {choice('主队', 'homeId', teamOptions)}
        {choice('客队', 'awayId', teamOptions)}
        {input('开赛时间', 'startTime', `北京时间，${league.startDay} 到 ${league.endDay} 之间`)}
        {choice(
          '局数',
          'bestOf',
          MATCH_FORMATS.map((n) => [String(n), `BO${n}`]),
        )}
        {input('主队比分', 'homeScore')}
        {input('客队比分', 'awayScore')}
        {choice(
          '状态',
          'status',
          matchStatuses.map((key) => [key, matchStatusNames[key]]),
        )}
        {input('观看地址', 'watchUrl', '以 https:// 开头，访客点开时先经过提示页')}
        <div className="sm:col-span-2">
          <FormError>{error}</FormError>
        </div>
      </form>
    </Dialog>
  );
}
