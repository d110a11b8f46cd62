/**
 * The mark of a trial in its database: a trial's database can never be used by a real market, nor a real market's
 * database by a trial.
 */
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';

/** How to turn a marked database into a real market. */
const GO_LIVE_HINT = '请先运行 npm run go-live 清除试运行的数据（见 docs/OPERATIONS.md「A trial」）';

/**
 * Marks the database of a trial at its first start. Throws an Error with a Chinese message for a trial on the database
 * of a market that is already set up, and for a market without TRIAL=1 on the database of a trial. A demo has no mark.
 */
export async function holdTrialMark({ config, db }: Pick<Context, 'config' | 'db'>): Promise<void> {
  if (config.demo) return;
  const { rows } = await sql<{ isTrial: boolean; isUsed: boolean }>`
    select trial_since is not null as "isTrial",
      (admin_id is not null or finished_at is not null or exists (select from app_user)) as "isUsed" from setup_state`.execute(
    db,
  );
  const { isTrial, isUsed } = rows[0] ?? { isTrial: false, isUsed: true };
  if (!config.trial) {
    if (isTrial) throw new Error(`设置有误：这个数据库是试运行的，里面是沙箱的钱，不能正式运行；${GO_LIVE_HINT}`);
    return;
  }
  if (isTrial) return;
  if (isUsed) throw new Error('设置有误：这个数据库里已有正式的市场，不能以 TRIAL=1 启动；试运行请另建一个数据库');
  await sql`update setup_state set trial_since = now() where trial_since is null`.execute(db);
}
