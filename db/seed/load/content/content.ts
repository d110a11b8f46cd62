import { chinaDay, dayStart } from '#contract/rules/time/china-time.ts';
import { PublicationStatus } from '#contract/rules/statuses.ts';
import { blocksOf } from '#subjects/content/rules/article.ts';
import { maskPhone } from '#contract/rules/contacts/phone.ts';
import { encrypt } from '#server/kernel/secrets/crypto.ts';
import { contactAad } from '#subjects/content/server/business.ts';
import { GAMES } from '#db/catalogue/index.ts';
import { BUSINESS, CASES, LEAGUES, ARTICLES } from './content-texts.ts';
import { type Market, staffId } from '../market.ts';

const DAY = 1440;

const gameIdOf = (code: string): number | null => GAMES.find((g) => g.code === code)?.id ?? null;

function bodyOf(text: string): string {
  const blocks = blocksOf(text);
  if (typeof blocks === 'string') throw new RangeError(blocks);
  return JSON.stringify(blocks);
}

async function storeTexts(market: Market): Promise<void> {
  const author = staffId(market, 'neirong');
  for (const n of ARTICLES) {
    const at = market.ago(n.daysAgo * DAY + 90);
    await market.client.query(
      `insert into news (code, dist_id, category, title, summary, blocks, pinned, status, author_id, published_at, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11) on conflict (code) do nothing`,
      [
        n.code,
        n.site === undefined ? null : (market.dists.get(n.site) ?? null),
        n.category,
        n.title,
        n.summary,
        bodyOf(n.body),
        n.pinned ?? false,
        n.status ?? 1,
        author,
        n.status === PublicationStatus.Draft ? null : at,
        at,
      ],
    );
  }
  for (const c of CASES) {
    const at = market.ago(c.daysAgo * DAY);
    await market.client.query(
      `insert into event_case (code, kind, game_id, title, summary, amount_fen, result, blocks, happened_on, status, author_id, published_at, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 1, $10, $11, $11, $11) on conflict (code) do nothing`,
      [
        c.code,
        c.kind,
        gameIdOf(c.game),
        c.title,
        c.summary,
        c.fen,
        c.result,
        bodyOf(c.body),
        market.ago((c.daysAgo + 10) * DAY),
        author,
        at,
      ],
    );
  }
}

/** Each team meets each other once, one match an evening, from five days ago on; the first ones have been played. */
async function storeMatches(market: Market): Promise<void> {
  const today = dayStart(chinaDay(market.now)).getTime();
  for (const [l, league] of LEAGUES.entries()) {
    const gameId = gameIdOf(league.game);
    if (gameId === null) continue;
    const { rows } = await market.client.query<{ id: number }>(
      `insert into league (game_id, name, stage, starts_on, ends_on) values ($1, $2, $3, $4, $5) returning id`,
      [gameId, league.name, league.stage, market.ago(20 * DAY), new Date(market.now.getTime() + 20 * DAY * 60_000)],
    );
    const teams: number[] = [];
    for (const [name, short] of league.teams) {
      const team = await market.client.query<{ id: number }>(
        `insert into league_team (name, short_name) values ($1, $2) on conflict (coalesce(dist_id, 0), name) do update set short_name = excluded.short_name returning id`,
        [name, short],
      );
      teams.push(team.rows[0]?.id ?? 0);
    }
    const pairs = teams.flatMap((home, i) => teams.slice(i + 1).map((away) => [home, away] as const));
    for (const [n, [home, away]] of pairs.entries()) {
      const starts = new Date(today + (n - 5) * 86_400_000 + (18.5 + l * 1.5) * 3_600_000);
      const isOver = starts.getTime() + 3 * 3_600_000 < market.now.getTime();
      await market.client.query(
        `insert into league_match (league_id, home_id, away_id, starts_at, best_of, home_score, away_score, status) values ($1, $2, $3, $4, 5, $5, $6, $7)`,
        [
          rows[0]?.id,
          home,
          away,
          starts,
          isOver ? (n % 3 === 0 ? 3 : n % 3) : 0,
          isOver ? (n % 3 === 0 ? n % 2 : 3) : 0,
          isOver ? 'over' : n === 8 ? 'postponed' : 'waiting',
        ],
      );
    }
  }
}

async function storePlatformInfo(market: Market): Promise<void> {
  const [author, approver] = [staffId(market, 'neirong'), staffId(market, 'admin')];
  const adverts: readonly (readonly [
    position: string,
    game: string | null,
    title: string,
    small: string,
    url: string,
    remind: boolean,
    status: number,
  ])[] = [
    ['game_top', null, '账号被找回，追索 7 天，到期必有结果', '包赔', '/news/guarantee', false, 1],
    ['game_top', 'wzry', '买号前看这五点', '指南', '/news/buy-guide', true, 1],
    ['game_top', 'dnf', '金币按比例看价，2 小时内发货', '金币', '/wares?gt=2&gid=1', false, 1],
    ['game_side', null, '买前看成交价：同类成交 90 天一目了然', '行情', '/dealshow', false, 1],
    ['game_side', 'wzry', '王者荣耀换绑要几步，看完再下单', '指南', '/news/buy-guide', false, 1],
    ['game_side', 'ys', '合作伙伴的活动页（演示）', '活动', 'https://example.com/event', true, 0],
    ['game_side', null, '去年的活动', '活动', '/news', false, 2],
  ];
  for (const [position, game, title, small, url, remind, status] of adverts)
    await market.client.query(
      `insert into advert (position, game_id, title, small_title, ht_url, remind, status, created_by, approved_by, starts_at, ends_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        position,
        game === null ? null : gameIdOf(game),
        title,
        small,
        url,
        remind,
        status,
        author,
        status === PublicationStatus.Draft ? null : approver,
        market.ago(10 * DAY),
        new Date(market.now.getTime() + 60 * DAY * 60_000),
      ],
    );
  for (const [n, b] of BUSINESS.entries()) {
    const sn = `BDEMO${n + 1}`;
    await market.client.query(
      `insert into cooperation_request (sn, dist_id, kind, company, name_enc, phone_enc, phone_mask, text, status, created_at)
       values ($1, 1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (sn) do nothing`,
      [
        sn,
        b.kind,
        b.company,
        encrypt(market.keys, contactAad('name_enc', sn), b.name),
        encrypt(market.keys, contactAad('phone_enc', sn), b.phone),
        maskPhone(b.phone),
        b.text,
        b.status,
        market.ago(b.hoursAgo * 60),
      ],
    );
  }
}

/** News, cases, matches, adverts and requests of the demo market. */
export async function storeContent(market: Market): Promise<void> {
  await storeTexts(market);
  await storeMatches(market);
  await storePlatformInfo(market);
}
