/** Real-name verification by face, where the operator offers it in addition to the check by number (docs/decisions/302). */
import { AuthStatus } from '#contract/rules/statuses.ts';
import { randomBytes } from 'node:crypto';
import type { beginFaceCheck } from '#subjects/verification/contract/identity.ts';
import type { Parsed } from '#contract/endpoint.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/client.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError, UnknownResult, VendorRejected } from '#server/kernel/errors.ts';
import type { FaceCheck } from '#server/ports/real-name.ts';
import { askSource, describeCertificate, oneAtATime, personOf } from './certificate.ts';
import { recordRealName } from './service.ts';
import { endUnfinished, keepUnfinished, unfinished } from './unfinished.ts';

/** The time allowed for the vendor's page; its number is valid for half an hour. */
const LIFE_SECONDS = 1800;

/** The return URL of the vendor's page. */
const BACK_PATH = '/center/myself/identityAuthentication?face=1';

function faceOf(ctx: Context): FaceCheck {
  const face = ctx.realName?.face;
  if (!face) throw new AppError('VENDOR_OFF', { text: '本站没有开通人脸核验，请用姓名和身份证号认证' });
  return face;
}

/**
 * Starts a check by face and stores the person until it ends. Counts against the daily limit, because each check costs money. Throws
 * VENDOR_OFF, REAL_NAME_DONE, REAL_NAME_TRIES, BAD_INPUT, RATE_LIMITED, REAL_NAME_UNCLEAR, BUSY.
 */
export async function beginFace(call: UserCall, input: Parsed<typeof beginFaceCheck>): Promise<{ url: string }> {
  const { ctx, user, origin } = call;
  const face = faceOf(ctx);
  if (user.authStatus === AuthStatus.Verified) throw new AppError('REAL_NAME_DONE');
  const person = personOf(input);
  return await oneAtATime(call, async () => {
    const { ref, url } = await askSource(call, () =>
      face.begin(
        { name: person.name, idNo: person.idNo },
        { number: randomBytes(16).toString('hex'), backUrl: `${origin}${BACK_PATH}`, metaInfo: input.metaInfo },
      ),
    );
    if (!(await keepUnfinished(ctx, user.id, { ...person, ref, seconds: LIFE_SECONDS })))
      throw new AppError('REAL_NAME_DONE');
    return { url };
  });
}

/** The vendor's result of a check. Throws REAL_NAME_UNCLEAR without one; the query can then be repeated. */
async function loadOutcome({ ctx }: UserCall, face: FaceCheck, ref: string) {
  return await face.outcome(ref).catch((error: unknown) => {
    ctx.log.error({ error: String(error) }, 'no outcome of a check by face');
    if (error instanceof VendorRejected || error instanceof UnknownResult)
      throw new AppError('REAL_NAME_UNCLEAR', {
        text: '暂时查不到核验结果，请稍后再看',
        retryAfterSeconds: 10,
        cause: error,
      });
    throw error;
  });
}

/**
 * Records the person when the vendor confirms that the check was passed; values returned by the browser are not trusted. Throws VENDOR_OFF,
 * REAL_NAME_DONE, NOT_FOUND when none is in progress, REAL_NAME_UNCLEAR while it has not ended, REAL_NAME_MISMATCH when it failed,
 * REAL_NAME_USED.
 */
export async function finishFace(call: UserCall) {
  const { ctx, user } = call;
  const face = faceOf(ctx);
  await oneAtATime(call, async () => {
    const begun = await unfinished(ctx, user.id);
    if (!begun) throw errorOf('NOT_FOUND', 'faceCheck');
    const { ref, ...person } = begun;
    const outcome = await loadOutcome(call, face, ref);
    if (outcome === 'pending')
      throw new AppError('REAL_NAME_UNCLEAR', { text: '还没有完成人脸核验，请完成后再看结果', retryAfterSeconds: 5 });
    if (outcome === 'failed') {
      await endUnfinished(ctx.db, user.id);
      throw new AppError('REAL_NAME_MISMATCH', { text: '人脸核验没有通过，可以重试，或用姓名和身份证号认证' });
    }
    const recorded = await inTransaction(ctx.db, (trx) =>
      recordRealName(trx, ctx.keys, { userId: user.id, ...person, providerRef: ref }),
    );
    if (!recorded) throw new AppError('REAL_NAME_DONE');
  });
  return await describeCertificate(ctx, user.id);
}
