import {
  beginFaceCheck,
  certificateInfo,
  finishFaceCheck,
  queryCertificateInfo,
  submitCertificate,
} from '#subjects/verification/contract/identity.ts';
import { serQqList } from '#subjects/verification/contract/service-numbers.ts';
import { bindAccountNum } from '#subjects/verification/contract/payee.ts';
import * as trust from '#subjects/verification/contract/verification.ts';
import type { Binding } from '#server/binding.ts';
import { schedule } from '#server/jobs/effect-writer.ts';
import { checkBlack, describeBlack, listBlack, listMyBlack } from './black.ts';
import { reportBlack, sweepTrust, takeAppeal, TRUST_SWEEP } from './black-report.ts';
import { describeCertificate, submitRealName } from './certificate.ts';
import { beginFace, finishFace } from './face.ts';
import { bindPayee } from './payout.ts';
import { listServiceNumbers, takeFakeReport, verifyService } from './service-check.ts';
import { bindTrustStaff } from './staff/routes.ts';

/** Real names, payout accounts in that name, the blacklist, and official numbers. */
export async function bindVerification(binding: Binding): Promise<void> {
  const { ctx, server, effects } = binding;
  bindTrustStaff(binding);
  server.serve(certificateInfo, (call) => describeCertificate(call.ctx, call.user.id));
  server.serve(queryCertificateInfo, (call) => describeCertificate(call.ctx, call.user.id));
  server.serve(submitCertificate, submitRealName);
  server.serve(beginFaceCheck, beginFace);
  server.serve(finishFaceCheck, finishFace);
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
  await schedule(ctx.db, TRUST_SWEEP, '', { seconds: 3600 }, 'keep');
}
