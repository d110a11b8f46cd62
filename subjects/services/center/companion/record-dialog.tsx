import { updateAccompanyer } from '#subjects/services/contract/accompanyer.ts';
import { call } from '#web/lib/api/api.ts';
import { ProfileDialog } from '#subjects/quick-coin/web/parts/coin/profile-dialog.tsx';
import { type Companion, useCompanionFields } from './companion-fields.tsx';

/** The companion's record: public fields are reviewed first, the rest takes effect immediately. */
export function RecordDialog({
  own,
  games,
  onClose,
  onDone,
}: {
  own: Companion;
  games: readonly { gameId: number; name: string }[];
  onClose: () => void;
  onDone: () => void;
}) {
  const more = useCompanionFields(own);
  return (
    <ProfileDialog
      title="修改资料"
      labels={{ name: '陪玩名称', games: '陪玩的游戏' }}
      record={own}
      games={games}
      extra={more.render}
      fields={more.fields}
      foot="名称、介绍、游戏、语音审核后生效，其余立即生效"
      send={(change, text, options) => {
        const { voice, ...values } = more.read(text);
        const isNewVoice = voice !== '' && voice !== own.voice?.key;
        return call(updateAccompanyer, { ...change, ...values, ...(isNewVoice && { voice }) }, options);
      }}
      onClose={onClose}
      onDone={onDone}
    />
  );
}
