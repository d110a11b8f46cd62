import { OrderStatus } from '../../rules/order-status.ts';
import { BOOSTING, RECYCLED_ACCOUNT } from '../../rules/order-types.ts';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { orderDetail } from '#subjects/orders/contract/order.ts';
import { codes, type ErrorName } from '#contract/codes.ts';
import { sealedFieldKind, stepFieldLabel } from '../../rules/sealed-fields.ts';
import { fieldsOf, isAuthor, type CredentialState } from './credentials.ts';
import type { HandoverRow } from './handover.ts';
import type { OrderRow } from '../list.ts';
import { accessOf, CHECK_LOGIN } from './access.ts';
import { sealRefusal } from './reseal.ts';

type Detail = HandlerResult<typeof orderDetail>;
type CredentialView = NonNullable<Detail['handover'][number]['sealed']>;
export type Opening = Detail['openings'][number];

/** The viewer of an order. Staff may open forms of orders assigned to them. */
export interface Viewer {
  role: 'buyer' | 'seller' | 'staff';
  mayOpen: boolean;
}

const CLOSED_TEXT: Partial<Record<ErrorName, string>> = {
  SEAL_NOT_YET: '客服核对登录、卖家发货后可以打开',
  ORDER_DISPUTED: '订单在申诉中，结案前不能打开',
};

/** Why a recycler cannot open the form yet: there is no shipment, the inspection decides. */
const notYetText = (closed: ErrorName, typeId: number): string | undefined =>
  closed === 'SEAL_NOT_YET' && typeId === RECYCLED_ACCOUNT ? '验号通过、付款后可以打开' : undefined;

function access(
  r: OrderRow,
  unchecked: boolean,
  credential: CredentialState | undefined,
  viewer: Viewer,
): Pick<CredentialView, 'canOpen' | 'openReason'> {
  if (!credential || credential.erased) return { canOpen: false, openReason: null };
  if (viewer.role === 'staff') return { canOpen: viewer.mayOpen, openReason: null };
  const context = {
    typeId: r.type_id,
    status: r.status,
    disputed: r.disputed,
    sellerId: r.seller_id,
    unchecked,
    unaccepted: r.snapshot.service === true && r.touched_at === null,
    shut: r.shut_at !== null,
  };
  const partyResult = accessOf(context, viewer.role, credential.fromUser);
  if ('purpose' in partyResult) return { canOpen: true, openReason: null };
  // Empty for viewers who may not open the form.
  const isFor = partyResult.closed !== 'ORDER_FORBIDDEN' && partyResult.closed !== 'ORDER_STATE';
  return {
    canOpen: false,
    openReason: isFor
      ? (notYetText(partyResult.closed, r.type_id) ?? CLOSED_TEXT[partyResult.closed] ?? codes[partyResult.closed][2])
      : null,
  };
}

/**
 * The viewer's view of a secret step's form: its fields, whether it was sealed and opened, and the viewer's permitted
 * actions.
 */
export function credentialView(
  r: OrderRow,
  rows: readonly HandoverRow[],
  step: HandoverRow,
  viewer: Viewer,
  forms: { seals: ReadonlyMap<number, CredentialState>; openings: readonly Opening[] },
): CredentialView {
  const credential = forms.seals.get(step.step);
  const unchecked = rows.some((row) => row.key === CHECK_LOGIN && row.doneAt === null);
  const order = { typeId: r.type_id, status: r.status, disputed: r.disputed, isService: r.snapshot.service === true };
  const version = credential?.version ?? 0;
  return {
    fields: fieldsOf(step).map((field) => {
      const kind = sealedFieldKind(field.key);
      return {
        key: field.key,
        label: stepFieldLabel(field),
        required: field.required,
        max: kind.max,
        hidden: kind.hidden === true,
        seconds: kind.seconds ?? null,
      };
    }),
    sent: credential !== undefined,
    version,
    sentTime: credential?.sentAt ?? null,
    opened: forms.openings.some((o) => o.step === step.step),
    canSend:
      viewer.role !== 'staff' &&
      isAuthor(step, viewer.role) &&
      sealRefusal({ ...order, version }, rows, step) === undefined,
    ...access(r, unchecked, credential, viewer),
    erased: credential?.erased ?? false,
    logIn: logInState(r, credential, viewer, forms.openings),
  };
}

/**
 * Whether the booster may report that the log-in of the buyer's newest form fails, or has reported it; the buyer sees
 * only the latter.
 */
function logInState(
  r: OrderRow,
  credential: CredentialState | undefined,
  { role }: Viewer,
  openings: readonly Opening[],
): CredentialView['logIn'] {
  if (r.type_id !== BOOSTING || r.status !== OrderStatus.Paid || r.disputed || credential?.fromUser !== r.buyer_id)
    return 'none';
  if (r.login_failed_at !== null && r.login_failed_at > credential.sentAt) return 'told';
  const { step, version } = credential;
  const isOpened = openings.some((o) => o.step === step && o.version === version && o.mine);
  return role === 'seller' && isOpened ? 'may' : 'none';
}
