import { MAX_ORDER_HOURS } from '../rules/package-units.ts';
import { COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import { type FormEvent, useState } from 'react';
import type { updateAccompanyer } from '#subjects/services/contract/accompanyer.ts';
import type { getBoosterInfo, updateBooster } from '#subjects/services/contract/booster.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '#web/lib/api/api.ts';
import { type Errors, textsOf } from '#web/lib/forms/form-values.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import type { FormErrors } from '#web/lib/forms/form-errors.ts';
import { integerError, isLotPrice } from '#subjects/quick-coin/web/parts/coin/offer-fields.tsx';
import { ContactWatch } from '#web/parts/contact-hint.tsx';
import { Button } from '#web/ui/button.tsx';
import { BackButton, Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input, Select, Textarea } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { RankRoute } from './rank-route.tsx';
import { type Stage, Stages } from './stages.tsx';

type Info = Data<typeof getBoosterInfo>;
export type Package = NonNullable<Info['booster']>['packages'][number];
type Games = Info['serviceGames'];
/** A package as the request input. */
export type PackageChange = ReturnType<typeof inputOf>;

const UNITS = ['次', '小时', '局', '天', '星', '段'];
const MODES = [
  ['account', '上号代打', '买家把账号密封给您，只有接单后能打开'],
  ['together', '组队陪打', '不需要买家的账号'],
  ['online', '线上指导', '不需要买家的账号'],
] as const;

const COMPANION_MODES = [
  ['together', '一起组队', '您用自己的账号'],
  ['online', '语音指导', '边看边教'],
] as const;

const isAmount = (text: string): boolean => text === '0' || /^0\.0{1,2}$/.test(text) || isLotPrice(text);

function checked(text: (name: string) => string, stages: readonly Stage[], isCompanion: boolean): Errors {
  return {
    ...(text('title').length < 4 && { title: '标题至少 4 个字' }),
    ...(text('scope').length < 4 && { scope: '请写明做什么、不做什么' }),
    ...(!isLotPrice(text('price')) && { price: '单价应为正数，最多两位小数' }),
    ...integerError(
      'maxNum',
      isCompanion ? '每单最多' : '最多数量',
      text('maxNum'),
      1,
      isCompanion ? MAX_ORDER_HOURS : 1000,
    ),
    ...(!isCompanion && checkedBoost(text, stages)),
  };
}

function checkedBoost(text: (name: string) => string, stages: readonly Stage[]): Errors {
  const sum = stages.reduce((total, { percent }) => total + Math.round(Number(percent) * 100), 0);
  return {
    ...(text('rankFrom') !== '' && text('rankTo') === '' && { rankTo: '请选择打到哪个段位' }),
    ...(text('rankFrom') === '' && text('rankTo') !== '' && { rankFrom: '请选择从哪个段位开始' }),
    ...integerError('hours', '约定用时', text('hours'), 1, 720),
    ...(!isAmount(text('safetyDeposit')) && { safetyDeposit: '应为金额，没有填 0' }),
    ...(!isAmount(text('efficiencyDeposit')) && { efficiencyDeposit: '应为金额，没有填 0' }),
    ...(stages.some(({ title }) => title.trim() === '') && { milestones: '请填写每一段的目标' }),
    ...(stages.length > 0 && sum !== 10_000 && { milestones: `各段占比之和应为 100%，现在是 ${sum / 100}%` }),
  };
}

function inputOf(
  text: ReturnType<typeof textsOf>,
  stages: readonly Stage[],
  { pack, gameId, isCompanion }: { pack: Package | null; gameId: number; isCompanion: boolean },
) {
  const amounts = isCompanion
    ? { unit: '小时' as const, minutes: 60 }
    : {
        unit: text('unit') as Package['unit'],
        minutes: Number(text('hours')) * 60,
        safetyDeposit: text('safetyDeposit'),
        efficiencyDeposit: text('efficiencyDeposit'),
        milestones: stages.map(({ title, percent }) => ({ title: title.trim(), sharePercent: Number(percent) })),
      };
  return {
    ...amounts,
    ...(pack && { packageSn: pack.packageSn }),
    gameId,
    ...(text('kind') !== '' && { kind: Number(text('kind')) }),
    ...(!isCompanion && {
      route: text('rankFrom') === '' ? null : { from: Number(text('rankFrom')), to: Number(text('rankTo')) },
    }),
    title: text('title'),
    scope: text('scope'),
    price: text('price'),
    minNum: 1,
    maxNum: Number(text('maxNum')),
    mode: text('mode') as Package['mode'],
    status: pack?.status ?? 1,
  };
}

/** Price, time and deposits of a package. */
function Terms({ pack, errors, isCompanion }: { pack: Package | null; errors: FormErrors; isCompanion: boolean }) {
  const amount = (
    name: 'price' | 'safetyDeposit' | 'efficiencyDeposit',
    label: string,
    value: string,
    help?: string,
  ) => (
    <Field label={label} required error={errors[name]} help={help}>
      {(control) => <Input {...control} name={name} inputMode="decimal" autoComplete="off" defaultValue={value} />}
    </Field>
  );
  const most = (
    <Field label={isCompanion ? '每单最多（小时）' : '每单最多'} required error={errors.maxNum}>
      {(control) => (
        <Input {...control} name="maxNum" inputMode="numeric" defaultValue={pack?.maxNum ?? (isCompanion ? 4 : 1)} />
      )}
    </Field>
  );
  if (isCompanion)
    return (
      <div className="grid grid-cols-2 gap-4">
        {amount('price', '每小时（元）', pack?.price ?? '', '按实际分钟结算')}
        {most}
      </div>
    );
  return (
    <div className="grid grid-cols-2 gap-4">
      {amount('price', '单价（元）', pack?.price ?? '')}
      <Field label="单位" required>
        {(control) => (
          <Select {...control} name="unit" defaultValue={pack?.unit ?? '次'}>
            {UNITS.map((unit) => (
              <option key={unit}>{unit}</option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="每单位用时（小时）" required error={errors.hours}>
        {(control) => (
          <Input
            {...control}
            name="hours"
            inputMode="numeric"
            defaultValue={pack ? Math.max(1, Math.round(pack.minutes / 60)) : ''}
          />
        )}
      </Field>
      {most}
      {amount('safetyDeposit', '安全保证金', pack?.safetyDeposit ?? '0', '接单时冻结，账号出问题按裁决赔付')}
      {amount('efficiencyDeposit', '效率保证金', pack?.efficiencyDeposit ?? '0', '超时取消或放弃时归买家')}
    </div>
  );
}

/** The game of a package, and the kind of service if the game has kinds. */
function GameAndKind({
  games,
  gameId,
  kind,
  isFixed,
  onGame,
}: {
  games: Games;
  gameId: number;
  kind: Package['kind'];
  /** The game of a package cannot be changed. */
  isFixed: boolean;
  onGame: (gameId: number) => void;
}) {
  const kinds = games.find((game) => game.gameId === gameId)?.kinds ?? [];
  return (
    <div className="grid grid-cols-2 gap-4">
      <Field label="游戏" required help={isFixed ? '发布后不能换，可另发一个' : undefined}>
        {(control) => (
          <Select
            {...control}
            value={gameId}
            disabled={isFixed}
            onChange={(event) => onGame(Number(event.target.value))}
          >
            {games.map((game) => (
              <option key={game.gameId} value={game.gameId}>
                {game.name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {kinds.length > 0 && (
        <Field label="项目" required>
          {(control) => (
            <Select {...control} name="kind" defaultValue={kind ?? kinds[0]?.value}>
              {kinds.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
    </div>
  );
}

/** Editor of a package: game, kind of service, price, time, deposits and stages. */
export function PackageDialog({
  typeId,
  update,
  games,
  pack,
  onClose,
  onDone,
}: {
  typeId: number;
  update: typeof updateBooster | typeof updateAccompanyer;
  games: Games;
  pack: Package | null;
  onClose: () => void;
  onDone: () => void;
}) {
  const isCompanion = typeId === COMPANION_PLAY;
  const [gameId, setGame] = useState(pack?.gameId ?? games[0]?.gameId ?? 0);
  const [stages, setStages] = useState<readonly Stage[]>(
    pack?.milestones.map((m, id) => ({ id, title: m.title, percent: String(m.sharePercent) })) ?? [],
  );
  const modes = isCompanion ? COMPANION_MODES : MODES;
  const ranks = games.find((game) => game.gameId === gameId)?.ranks ?? [];
  const { form, errors, busy, setErrors, send } = useMutation(
    (text: ReturnType<typeof textsOf>, options) =>
      call(update, { packages: [inputOf(text, stages, { pack, gameId, isCompanion })] }, options),
    {
      ...(pack === null && { draft: `package:${typeId}` }),
      fields: [
        'rankFrom',
        'rankTo',
        'title',
        'scope',
        'price',
        'hours',
        'maxNum',
        'safetyDeposit',
        'efficiencyDeposit',
        'milestones',
      ],
      done: () => {
        toast(pack ? '套餐已保存' : '套餐已提交审核', 'ok');
        onDone();
      },
    },
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = textsOf(event.currentTarget);
    const wrong = checked(text, stages, isCompanion);
    if (Object.keys(wrong).length > 0) setErrors(wrong);
    else void send(text);
  };
  return (
    <Dialog
      title={pack ? '修改套餐' : '发布套餐'}
      onClose={onClose}
      closeOnBackdrop={false}
      footer={
        <>
          <BackButton>取消</BackButton>
          <Button type="submit" form="package" kind="primary" busy={busy}>
            {pack ? '保存' : '提交审核'}
          </Button>
        </>
      }
    >
      <form id="package" ref={form} noValidate className="grid gap-4" onSubmit={submit}>
        <GameAndKind games={games} gameId={gameId} kind={pack?.kind ?? null} isFixed={pack !== null} onGame={setGame} />
        {!isCompanion && ranks.length > 0 && (
          <RankRoute key={gameId} ranks={ranks} route={pack?.route ?? null} errors={errors} />
        )}
        <Field label="标题" required error={errors.title}>
          {(control) => (
            <ContactWatch initial={pack?.title}>
              <Input
                {...control}
                name="title"
                maxLength={60}
                defaultValue={pack?.title}
                placeholder={isCompanion ? '如 技术陪玩，带飞上星' : '如 星耀到王者，包赔掉星'}
              />
            </ContactWatch>
          )}
        </Field>
        <Field
          label="服务内容"
          required
          error={errors.scope}
          help={`写明${isCompanion ? '怎么玩' : '从哪到哪'}、做什么、不做什么；修改后需重新审核。`}
        >
          {(control) => (
            <ContactWatch initial={pack?.scope}>
              <Textarea {...control} name="scope" rows={3} maxLength={500} defaultValue={pack?.scope} />
            </ContactWatch>
          )}
        </Field>
        <Field label="服务方式" required>
          {(control) => (
            <Select {...control} name="mode" defaultValue={pack?.mode ?? modes[0][0]}>
              {modes.map(([mode, label, help]) => (
                <option key={mode} value={mode}>
                  {label}（{help}）
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Terms pack={pack} errors={errors} isCompanion={isCompanion} />
        {!isCompanion && <Stages stages={stages} error={errors.milestones} onChange={setStages} />}
        <FormError>{errors.send}</FormError>
      </form>
    </Dialog>
  );
}
