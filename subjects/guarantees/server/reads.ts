import { sql } from 'kysely';
import QRCode from 'qrcode';
import type * as c from '#subjects/guarantees/contract/guarantee.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { claimableUntil, claimReasons, reasonLines } from '../rules/guarantee.ts';
import type { Call, UserCall } from '#server/access/call.ts';
import { sha256 } from '#server/kernel/secrets/crypto.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { certificateText } from './covers.ts';
import { claimWhere, loadCovers, claimEligibility } from './queries.ts';
import { type CoverStatus, OPEN_CLAIM } from './rules.ts';
import { loadClaimCase, claimView, coverView } from './view.ts';

const LIVE = sql`c.status in ('waiting', 'active', 'claimed')`;

/** The caller's covers and claims, newest first. */
export async function myCovers(
  { ctx, user }: UserCall,
  input: Parsed<typeof c.coverList>,
): Promise<HandlerResult<typeof c.coverList>> {
  const size = input.pageSize ?? 20;
  const from = decodeId(input.cursor);
  const live = sql`(${LIVE} and c.holder_id = ${user.id})`;
  const state = input.state === undefined ? sql`true` : input.state === 'live' ? live : sql`not ${live}`;
  const offset = from === undefined ? ((input.pages ?? 1) - 1) * size : 0;
  const [rows, counted, claims] = await Promise.all([
    loadCovers(
      ctx.db,
      user.id,
      sql`${state} ${from === undefined ? sql`` : sql`and c.id < ${from}`}`,
      sql`order by c.id desc limit ${size + 1} offset ${offset}`,
    ),
    sql<{ live: number; ended: number }>`
      select count(*) filter (where ${live})::int as live, count(*) filter (where not ${live})::int as ended from guarantee_cover c
      where c.holder_id = ${user.id} or exists (select from guarantee_holder h where h.cover_id = c.id and h.user_id = ${user.id})`.execute(
      ctx.db,
    ),
    claimWhere(ctx.db, sql`c.user_id = ${user.id}`, sql`order by c.id desc limit 20`),
  ]);
  const counts = counted.rows[0] ?? { live: 0, ended: 0 };
  const total = input.state === undefined ? counts.live + counts.ended : counts[input.state];
  const page = rows.slice(0, size);
  const last = page.at(-1);
  const now = new Date();
  return {
    list: page.map(coverView),
    counts,
    claims: claims.map((k) => claimView(k, now)),
    total: Math.min(total, 1000),
    totalCapped: total > 1000,
    next: rows.length > size && last ? encodeCursor([last.id]) : null,
  };
}

/** A cover with its terms, holders and claims. Throws COVER_NOT_FOUND. */
export async function coverFor(
  { ctx, user }: UserCall,
  { coverId }: Parsed<typeof c.coverDetail>,
): Promise<HandlerResult<typeof c.coverDetail>> {
  const [cover] = await loadCovers(ctx.db, user.id, sql`c.id = ${coverId}`, sql``);
  const eligibility = await claimEligibility(ctx.db, coverId, user.id);
  if (!cover || !eligibility) throw new AppError('COVER_NOT_FOUND');
  const holders = await sql<{ seq: number; name: string; mine: boolean; from: Date; to: Date | null }>`
    select h.seq, case when h.user_id = ${user.id} then '我' else left(u.nick_name, 1) || '**' end as name, h.user_id = ${user.id} as mine,
      h.from_at as from, h.to_at as to
    from guarantee_holder h join app_user u on u.id = h.user_id where h.cover_id = ${coverId} order by h.seq`.execute(
    ctx.db,
  );
  const claims = await claimWhere(
    ctx.db,
    sql`c.cover_id = ${coverId} and c.user_id = ${user.id}`,
    sql`order by c.id desc limit 20`,
  );
  const now = new Date();
  return {
    ...coverView(cover),
    terms: cover.terms,
    holders: holders.rows,
    claims: claims.map((k) => claimView(k, now)),
    closed: eligibility.closed,
    reasons: reasonLines(eligibility.reasons, Math.round((cover.payoutMaxFen * 10_000) / cover.priceFen)).map(
      (line) => ({
        code: line.reason,
        name: line.name,
        evidence: claimReasons[line.reason].evidence,
        text: line.text,
        most: claimableUntil(
          { reasons: eligibility.reasons, priceFen: eligibility.insuredFen, payoutMaxFen: eligibility.payoutMaxFen },
          line.reason,
          eligibility.days,
        ),
        byItself: line.byItself,
      }),
    ),
  };
}

/** A claim of the caller. Throws CLAIM_NOT_FOUND. */
export async function claimFor(
  { ctx, user }: UserCall,
  { claimSn }: Parsed<typeof c.claimDetail>,
): Promise<HandlerResult<typeof c.claimDetail>> {
  const [claim] = await claimWhere(ctx.db, sql`c.sn = ${claimSn} and c.user_id = ${user.id}`);
  if (!claim) throw new AppError('CLAIM_NOT_FOUND');
  const actions = OPEN_CLAIM.includes(claim.status) ? ['evidence', 'withdraw'] : [];
  return { ...(await loadClaimCase(ctx.db, claim, new Date())), acts: actions, orderSn: claim.orderSn };
}

interface CertificateRow {
  no: string;
  status: CoverStatus;
  replaced: boolean;
  body: {
    tierName: string;
    gameName: string;
    title: string;
    holder: string;
    holderSeq: number;
    priceFen: number;
    payoutMaxFen: number;
    coverText: string;
    exclusions: string[];
    chaseDays: number;
    from: string;
  };
  hash: Buffer;
  at: Date;
}

const states: Readonly<Record<string, readonly [name: string, explain: string]>> = {
  active: ['有效', '这份保障正在生效'],
  claimed: ['理赔中', '这份保障正在理赔'],
  paid: ['已赔付', '这份保障已经赔付，不再有效'],
  ended: ['已结束', '这份保障已经结束'],
  void: ['已失效', '订单已按裁决全额退款，保障失效'],
  replaced: ['已换发', '账号在本站转手，保障归新的主人，以新证书为准'],
};

/** A certificate's contents and state, for verification by anyone. Throws NOT_FOUND. */
export async function checkCertificate(
  { ctx, origin }: Call,
  input: Parsed<typeof c.certificateCheck>,
): Promise<HandlerResult<typeof c.certificateCheck>> {
  const no = input.no.toUpperCase();
  const { rows } = await sql<CertificateRow>`
    select p.no, c.status, p.replaced_by is not null as replaced, p.body, p.body_hash as hash, p.issued_at as at
    from guarantee_certificate p join guarantee_cover c on c.id = p.cover_id where p.no = ${no}`.execute(ctx.db);
  const certificate = rows[0];
  if (!certificate) throw errorOf('NOT_FOUND', 'certificate');
  const { priceFen, payoutMaxFen, from, ...body } = certificate.body;
  const state = certificate.replaced ? 'replaced' : certificate.status === 'active' ? 'live' : certificate.status;
  const [stateName, explain] = states[certificate.replaced ? 'replaced' : certificate.status] ?? ['', ''];
  const url = `${origin}/guarantee/${certificate.no}`;
  return {
    no: certificate.no,
    genuine: sha256(certificateText(certificate.body)).equals(certificate.hash),
    state,
    stateName,
    explain,
    body: { ...body, price: priceFen, payoutMax: payoutMaxFen, from: new Date(from) },
    issueTime: certificate.at,
    digest: certificate.hash.toString('hex').slice(0, 16),
    qrSvg: await QRCode.toString(url, { type: 'svg', margin: 0, errorCorrectionLevel: 'M' }),
    url,
  };
}
