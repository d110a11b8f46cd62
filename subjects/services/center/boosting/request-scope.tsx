import { useEffect, useState } from 'react';
import { boostRoutes, type boostGames, type scopeKinds } from '#subjects/services/contract/boosting.ts';
import { crossList } from '#subjects/games/contract/games.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '#web/lib/api/api.ts';
import type { FormErrors, Message } from '#web/lib/forms/form-errors.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Input, Radio, Select } from '#web/ui/forms/input.tsx';
import type { Filled } from './request-draft.ts';

export type Game = Data<typeof boostGames>['games'][number];
export type ScopeKind = (typeof scopeKinds)[number];

/**
 * The options of a game: its ranks from low to high, and its regions with their servers. Empty lists become text
 * inputs.
 */
export interface GameChoices {
  gameId: number;
  ranks: Data<typeof boostRoutes>['ranks'];
  areas: Data<typeof crossList>['list'];
}

const KINDS: readonly (readonly [ScopeKind, string])[] = [
  ['rank', '从段位到段位'],
  ['hours', '按小时'],
  ['matches', '按局数'],
];

/** The options of a game; null while loading. After a failure all fields are text inputs. */
export function useGameChoices(gameId: number, loaded: GameChoices | null): GameChoices | null {
  const [found, setFound] = useState(loaded);
  const isKnown = found?.gameId === gameId;
  useEffect(() => {
    if (isKnown) return undefined;
    let isCurrent = true;
    const none = () => [];
    void Promise.all([
      call(boostRoutes, { gameId }, { quiet: true }).then(({ ranks }) => ranks, none),
      call(crossList, { gameId }, { quiet: true }).then(({ list }) => list, none),
    ]).then(([ranks, areas]) => isCurrent && setFound({ gameId, ranks, areas }));
    return () => {
      isCurrent = false;
    };
  }, [gameId, isKnown]);
  return isKnown ? found : null;
}

/** A choice among names, or free text when the game has none. */
function NameField({
  label,
  name,
  names,
  value,
  error,
  placeholder,
  maxLength,
  onChange,
}: {
  label: string;
  name: string;
  names: readonly string[];
  value: string | undefined;
  error: Message | null | undefined;
  placeholder: string;
  maxLength: number;
  onChange?: (value: string) => void;
}) {
  return (
    <Field label={label} required error={error}>
      {(control) =>
        names.length === 0 ? (
          <Input {...control} name={name} maxLength={maxLength} defaultValue={value} placeholder={placeholder} />
        ) : (
          <Select
            {...control}
            name={name}
            defaultValue={value !== undefined && names.includes(value) ? value : ''}
            onChange={({ target }) => onChange?.(target.value)}
          >
            <option value="">请选择</option>
            {names.map((text) => (
              <option key={text} value={text}>
                {text}
              </option>
            ))}
          </Select>
        )
      }
    </Field>
  );
}

function Ranks({
  choices,
  filled,
  errors,
  onRoute,
}: {
  choices: GameChoices | null;
  filled: Filled;
  errors: FormErrors;
  onRoute: (ends: { from?: string; to?: string }) => void;
}) {
  const names = choices?.ranks.map(({ label }) => label) ?? [];
  const ends = [
    ['fromRank', '现在的段位', 'fromDetail', '现在几星', '如 3星', (from: string) => onRoute({ from })],
    ['toRank', '目标段位', 'toDetail', '目标几星', '如 10星', (to: string) => onRoute({ to })],
  ] as const;
  return (
    <div className="grid gap-4 md:grid-cols-2">
      {ends.map(([name, label, detail, detailLabel, placeholder, onChange]) => (
        <div key={`${name}${names.length}`} className="grid grid-cols-[minmax(0,1fr)_112px] items-start gap-2">
          <NameField
            label={label}
            name={name}
            names={names}
            value={filled[name]}
            error={errors[name]}
            placeholder="如 钻石一"
            maxLength={14}
            onChange={onChange}
          />
          <Field label={detailLabel} error={undefined}>
            {(control) => (
              <Input {...control} name={detail} maxLength={5} defaultValue={filled[detail]} placeholder={placeholder} />
            )}
          </Field>
        </div>
      ))}
    </div>
  );
}

function Count({ kind, filled, errors }: { kind: ScopeKind; filled: Filled; errors: FormErrors }) {
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <Field label={kind === 'hours' ? '多少小时' : '多少局'} required error={errors.num}>
        {(control) => <Input {...control} name="num" inputMode="numeric" maxLength={4} defaultValue={filled['num']} />}
      </Field>
      <Field label="打什么" error={errors.toRank}>
        {(control) => (
          <Input {...control} name="toRank" maxLength={20} defaultValue={filled['toRank']} placeholder="如 巅峰赛" />
        )}
      </Field>
    </div>
  );
}

/** Region and server, chosen from those of the game. */
function Region({ choices, filled, errors }: { choices: GameChoices | null; filled: Filled; errors: FormErrors }) {
  const [areaName, setArea] = useState(filled['area'] ?? '');
  const areas = choices?.areas ?? [];
  const servers = areas.find(({ specialName }) => specialName === areaName)?.secondOptions ?? [];
  return (
    <div key={areas.length} className="grid gap-4 md:grid-cols-2">
      <NameField
        label="区服"
        name="area"
        names={areas.map(({ specialName }) => specialName)}
        value={filled['area']}
        error={errors.area}
        placeholder="如 微信一区"
        maxLength={40}
        onChange={setArea}
      />
      {servers.length > 0 && (
        <Field label="服务器" error={undefined}>
          {(control) => (
            <Select key={areaName} {...control} name="server" defaultValue={filled['server'] ?? ''}>
              <option value="">不限</option>
              {servers.map(({ twoSpecialName }) => (
                <option key={twoSpecialName} value={twoSpecialName}>
                  {twoSpecialName}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
    </div>
  );
}

/** Game, kind of work, ranks, and server. */
export function Scope({
  games,
  gameId,
  onGame,
  choices,
  filled,
  kind,
  onKind,
  onRoute,
  errors,
}: {
  games: readonly Game[];
  gameId: number;
  onGame: (gameId: number) => void;
  choices: GameChoices | null;
  filled: Filled;
  kind: ScopeKind;
  onKind: (kind: ScopeKind) => void;
  onRoute: (ends: { from?: string; to?: string }) => void;
  errors: FormErrors;
}) {
  const kinds = games.find((game) => game.gameId === gameId)?.kinds ?? [];
  return (
    <>
      <div className="grid gap-4 md:grid-cols-2">
        <Field label="游戏" required error={errors.gameId}>
          {(control) => (
            <Select {...control} name="gameId" value={gameId} onChange={(event) => onGame(Number(event.target.value))}>
              {games.map((game) => (
                <option key={game.gameId} value={game.gameId}>
                  {game.name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {kinds.length > 0 && (
          <Field label="服务项目" required error={errors.kind}>
            {(control) => (
              <Select key={gameId} {...control} name="kind" defaultValue={filled['kind'] || kinds[0]?.value}>
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
      <fieldset className="flex flex-wrap gap-4">
        <legend className="mb-1.5 text-13 font-medium">计费方式</legend>
        {KINDS.map(([value, label]) => (
          <Radio key={value} name="scopeKind" value={value} checked={kind === value} onChange={() => onKind(value)}>
            {label}
          </Radio>
        ))}
      </fieldset>
      {kind === 'rank' ? (
        <Ranks choices={choices} filled={filled} errors={errors} onRoute={onRoute} />
      ) : (
        <Count kind={kind} filled={filled} errors={errors} />
      )}
      <Region choices={choices} filled={filled} errors={errors} />
    </>
  );
}
