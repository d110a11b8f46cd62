import { certificateInfo, queryCertificateInfo, submitCertificate } from '#contract/common.ts';
import { serQqList } from '#contract/dist.ts';
import { bindAccountNum } from '#contract/user.ts';
import * as trust from '#contract/verification.ts';
import type { Binding } from '#server/binding.ts';
import { schedule } from '#server/jobs/door.ts';
import { sql } from 'kysely';
import { checkBlack, describeBlack, listBlack, listMyBlack } from './black.ts';
import { reportBlack, sweepTrust, takeAppeal, TRUST_SWEEP } from './black-report.ts';
import { describeCertificate, submitRealName } from './certificate.ts';
import { bindPayee } from './payout.ts';
import { listServiceNumbers, takeFakeReport, verifyService } from './service-check.ts';

/** Real names, the accounts that may be paid to because they bear one, and whom to trust. */
export async function bindVerification({ ctx, server, effects }: Binding): Promise<void> {
  server.serve(certificateInfo, (call) => describeCertificate(call.ctx.db, call.user.id));
  server.serve(queryCertificateInfo, (call) => describeCertificate(call.ctx.db, call.user.id));
  server.serve(submitCertificate, submitRealName);
  server.serve(bindAccountNum, bindPayee);
  server.serve(serQqList, listServiceNumbers);
  server.serve(trust.queryVerifyCustomer, verifyService);
  server.serve(trust.reportFakeService, takeFakeReport);
  server.serve(trust.blackCheck, checkBlack);
  server.serve(trust.blackList, listBlack);
  server.serve(trust.blackInfo, describeBlack);
  server.serve(trust.releaseBlack, reportBlack);
  server.serve(trust.myBlackList, listMyBlack);
  server.serve(trust.appealBlack, takeAppeal);
  effects.every(TRUST_SWEEP, sweepTrust);
  await schedule(ctx.db, TRUST_SWEEP, '', sql`now() + interval '1 hour'`, 'keep');
}
