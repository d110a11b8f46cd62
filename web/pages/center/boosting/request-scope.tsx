import { useState } from 'react';
import type { boostGames, scopeKinds } from '#contract/boosting.ts';
import type { Data } from '#contract/endpoint.ts';
import type { FormErrors } from '#web/lib/form-errors.ts';
import { Field } from '#web/ui/field.tsx';
import { Input, Radio, Select } from '#web/ui/input.tsx';

export type Game = Data<typeof boostGames>['games'][number];
export type ScopeKind = (typeof scopeKinds)[number];

const KINDS: readonly (readonly [ScopeKind, string])[] = [
  ['rank', '从段位到段位'],
  ['hours', '按小时'],
  ['matches', '按局数'],
];

interface Former {
  gameId: number;
  kind: number | null;
  fromRank: string;
  toRank: string;
  num: number;
}

function HowFar({ kind, former, errors }: { kind: ScopeKind; former: Former | null; errors: FormErrors }) {
  if (kind === 'rank')
    return (
      <div className="grid gap-4 md:grid-cols-2">
        <Field label="现在的段位" required error={errors.fromRank}>
          {(control) => (
            <Input
              {...control}
              name="fromRank"
              maxLength={20}
              defaultValue={former?.fromRank}
              placeholder="如 钻石一"
            />
          )}
        </Field>
        <Field label="目标段位" required error={errors.toRank}>
          {(control) => (
            <Input {...control} name="toRank" maxLength={20} defaultValue={former?.toRank} placeholder="如 最强王者" />
          )}
        </Field>
      </div>
    );
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <Field label={kind === 'hours' ? '多少小时' : '多少局'} required error={errors.num}>
        {(control) => <Input {...control} name="num" inputMode="numeric" maxLength={4} defaultValue={former?.num} />}
      </Field>
      <Field label="打什么" error={errors.toRank}>
        {(control) => (
          <Input {...control} name="toRank" maxLength={20} defaultValue={former?.toRank} placeholder="如 巅峰赛" />
        )}
      </Field>
    </div>
  );
}

/** Which game, which kind of work, and from where to where. */
export function Scope({
  games,
  former,
  kind,
  onKind,
  errors,
}: {
  games: readonly Game[];
  former: Former | null;
  kind: ScopeKind;
  onKind: (kind: ScopeKind) => void;
  errors: FormErrors;
}) {
  const [gameId, setGame] = useState(former?.gameId ?? games[0]?.gameId ?? 0);
  const kinds = games.find((game) => game.gameId === gameId)?.kinds ?? [];
  return (
    <>
      <div className="grid gap-4 md:grid-cols-2">
        <Field label="游戏" required error={errors.gameId}>
          {(control) => (
            <Select {...control} name="gameId" value={gameId} onChange={(event) => setGame(Number(event.target.value))}>
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
              <Select key={gameId} {...control} name="kind" defaultValue={former?.kind ?? kinds[0]?.value}>
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
        <legend className="mb-1.5 text-13 font-medium">按什么打</legend>
        {KINDS.map(([value, label]) => (
          <Radio key={value} name="scopeKind" checked={kind === value} onChange={() => onKind(value)}>
            {label}
          </Radio>
        ))}
      </fieldset>
      <HowFar kind={kind} former={former} errors={errors} />
    </>
  );
}
