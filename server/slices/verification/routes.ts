import { certificateInfo, queryCertificateInfo, submitCertificate } from '#contract/common.ts';
import { bindAccountNum } from '#contract/user.ts';
import type { Binding } from '#server/slices.ts';
import { describeCertificate, submitRealName } from './certificate.ts';
import { bindPayee } from './payout.ts';

/** Real names, and the accounts that may be paid to because they bear one. */
export function bindVerification({ server }: Binding): void {
  server.serve(certificateInfo, (call) => describeCertificate(call.ctx.db, call.user.id));
  server.serve(queryCertificateInfo, (call) => describeCertificate(call.ctx.db, call.user.id));
  server.serve(submitCertificate, submitRealName);
  server.serve(bindAccountNum, bindPayee);
}
