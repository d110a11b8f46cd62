/** Roles that users apply for (domain.md 6). */
export type ProviderKind = 'shop' | 'booster' | 'companion' | 'recycler';

export type ProviderStatus = 'reviewing' | 'approved' | 'refused' | 'suspended' | 'left';

const statusNames: Readonly<Record<ProviderStatus, string>> = {
  reviewing: '审核中',
  approved: '已开通',
  refused: '未通过',
  suspended: '已暂停',
  left: '已退出',
};

/** The name of a provider's state. */
export const providerStatusName = (status: ProviderStatus): string => statusNames[status];

export const providerKindNames: Readonly<Record<ProviderKind, string>> = {
  shop: '极速金币店铺',
  booster: '代练',
  companion: '陪玩',
  recycler: '金币回收商',
};

/** States from which one may apply again. */
export const MAY_APPLY: readonly ProviderStatus[] = ['refused', 'left'];
