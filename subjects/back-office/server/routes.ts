import { staffInfo, staffLogin, staffLogout } from '#subjects/back-office/contract/sign-in.ts';
import { approveReview, rejectReview, reviewGoods, reviewGoodsList } from '#subjects/goods/contract/staff-review.ts';
import { selfCheck } from '#subjects/back-office/contract/self-check.ts';
import { checkSecret } from '#server/kernel/secrets/argon.ts';
import type { Binding } from '#server/binding.ts';
import { logInStaff, logOutStaff } from './staff/auth.ts';
import { bindAudit } from './audit/routes.ts';
import { approve, listReviews, oneReview, reject } from './trade/goods.ts';
import { bindOverview } from './overview/routes.ts';
import { bindContentAdmin } from './content/routes.ts';
import { bindLists } from './lists/routes.ts';
import { bindImport } from './stock-import/routes.ts';
import { bindMoney } from './money/routes.ts';
import { bindPromos } from './promotions/routes.ts';
import { bindTrade } from './trade/routes.ts';
import { bindSetup } from './setup/routes.ts';
import { bindSettingsAdmin } from './settings/routes.ts';
import { bindTexts } from './texts/routes.ts';
import { bindStaff } from './staff/routes.ts';
import { checkSelf } from './system/self-check.ts';

/** The back office: log-in of staff, home page, and users. */
export async function bindBackOffice(binding: Binding): Promise<void> {
  const { server } = binding;
  server.serve(staffLogin, logInStaff);
  server.serve(staffLogout, async (call) => {
    await logOutStaff(call);
    return {};
  });
  server.serve(staffInfo, ({ staff }) =>
    Promise.resolve({
      staffId: staff.id,
      name: staff.name,
      role: staff.role,
      roleName: staff.roleName,
      permissions: [...staff.permissions],
      distId: staff.distId,
      imUid: staff.imUid,
    }),
  );
  server.serve(reviewGoodsList, listReviews);
  server.serve(reviewGoods, oneReview);
  server.serve(approveReview, approve);
  server.serve(rejectReview, reject);
  bindTrade(binding);
  bindOverview(binding);
  bindStaff(binding);
  bindSetup(binding);
  bindSettingsAdmin(binding);
  bindTexts(binding);
  bindMoney(binding);
  await bindAudit(binding);
  bindPromos(binding);
  bindImport(binding);
  bindLists(binding);
  bindContentAdmin(binding);
  server.serve(selfCheck, async (call) => await checkSelf(call));
  // Warms up the dummy hash, so that the first unknown log-in name takes no longer than others.
  await checkSecret(undefined, '', 'staff');
}
