import { staffRecycleTaken } from '#subjects/recycling/contract/account-recycling.ts';
import { staffBoostingDeposits } from '#subjects/services/contract/staff-boosting.ts';
import * as k from '#subjects/guarantees/contract/staff-claims.ts';
import * as d from '#subjects/disputes/contract/staff-disputes.ts';
import { staffServiceList, staffServiceWeeks } from '#subjects/services/contract/staff-services.ts';
import { staffGoodsList, staffListing, staffTakeDown } from '#subjects/goods/contract/staff-listings.ts';
import * as c from '#subjects/orders/contract/staff-orders.ts';
import * as n from '#subjects/inspections/contract/inspection.ts';
import { providerList, reviewProvider, setRecyclerLimit } from '#subjects/providers/contract/staff-providers.ts';
import { setUserStatus } from '#subjects/accounts/contract/staff-users.ts';
import type { Binding } from '#server/binding.ts';
import { decideDeposits } from './boosting-deposits.ts';
import { enterReceipt, strikeOut } from './claim-details.ts';
import { acceptMany, applyClaimAction, claimFile, listClaims, secondOnClaim } from './claims.ts';
import {
  approveRulingAsSecond,
  askForEvidence,
  disputeFile,
  ruleDispute,
  takeDisputes,
  triageDispute,
} from './disputes.ts';
import { openCredentialForm, secondOnReveal, sealAgain } from './credentials.ts';
import { inspectionForStaff, openCredentials, record, secondOnInspection } from './inspections.ts';
import { oneListing } from './goods.ts';
import { listDisputes } from './dispute-list.ts';
import { platformTook } from './recycled.ts';
import { listGoods, takeDown } from './goods-list.ts';
import { actOnOrders } from './order-bulk.ts';
import { listOrders } from './order-list.ts';
import { listServices, serviceWeeks } from './service-list.ts';
import { finishStep, orderContacts, orderForStaff, stepOrder } from './orders.ts';
import { decideWrong, listWrong, secondOnWrong } from './wrong-readings.ts';
import { reviewApplication, limitRecycler, listProviders } from '../people/providers.ts';
import { setStatus } from '../people/users.ts';

/** Trade: pending work, orders with their transitions, restricted accounts. */
export function bindTrade({ server }: Binding): void {
  server.serve(staffGoodsList, (call, input) => listGoods(call, input));
  server.serve(staffListing, oneListing);
  server.serve(staffTakeDown, takeDown);
  server.serve(c.staffOrderList, (call, input) => listOrders(call, input));
  server.serve(staffServiceList, (call, input) => listServices(call, input));
  server.serve(staffServiceWeeks, serviceWeeks);
  server.serve(c.staffOrderBulk, actOnOrders);
  server.serve(c.staffOrderDetail, orderForStaff);
  server.serve(c.staffOrderStep, stepOrder);
  server.serve(c.staffHandoverDone, finishStep);
  server.serve(c.staffReveal, openCredentialForm);
  server.serve(c.staffRevealSecond, secondOnReveal);
  server.serve(c.staffSealAgain, sealAgain);
  server.serve(c.staffOrderContact, orderContacts);
  server.serve(setUserStatus, setStatus);
  server.serve(d.staffDisputeList, (call, input) => listDisputes(call, input));
  server.serve(d.staffDisputeTake, takeDisputes);
  server.serve(d.staffDisputeDetail, disputeFile);
  server.serve(d.staffDisputeFirstResponse, triageDispute);
  server.serve(d.staffDisputeQuestion, askForEvidence);
  server.serve(d.staffDisputeRule, ruleDispute);
  server.serve(d.staffDisputeSecond, approveRulingAsSecond);
  server.serve(providerList, listProviders);
  server.serve(reviewProvider, reviewApplication);
  server.serve(setRecyclerLimit, limitRecycler);
  server.serve(k.staffClaimList, (call, input) => listClaims(call, input));
  server.serve(k.staffClaimAccept, acceptMany);
  server.serve(k.staffClaimDetail, claimFile);
  server.serve(k.staffClaimAction, applyClaimAction);
  server.serve(k.staffClaimSecond, secondOnClaim);
  server.serve(k.staffClaimReceipt, enterReceipt);
  server.serve(k.staffClaimReceiptStrike, strikeOut);
  server.serve(staffRecycleTaken, platformTook);
  server.serve(staffBoostingDeposits, decideDeposits);
  server.serve(n.staffInspectionInfo, inspectionForStaff);
  server.serve(n.staffInspectionOpen, openCredentials);
  server.serve(n.staffInspectionRecord, record);
  server.serve(n.staffInspectionSecond, secondOnInspection);
  server.serve(n.staffWrongReadings, listWrong);
  server.serve(n.staffWrongDecide, decideWrong);
  server.serve(n.staffWrongSecond, secondOnWrong);
}
