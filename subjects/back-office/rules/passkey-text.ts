/** The question before a passkey is removed, and what follows from it. */
export function removalQuestion({ name, isLast }: { name: string; isLast: boolean }): string {
  return isLast
    ? `「${name}」是您最后一个通行密钥。移除后只能用密码和动态码登录。`
    : `移除后「${name}」不能再用来登录和确认；其余的照常使用。`;
}

/** Why a passkey cannot be removed; null when it can. */
export const removalBar = ({ isLast, isRequired }: { isLast: boolean; isRequired: boolean }): string | null =>
  isLast && isRequired ? '您的角色至少要保留一个：先登记新的，再移除它' : null;
