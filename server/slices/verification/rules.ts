/** '张三丰' becomes '张**': the first character alone stays. */
export function maskName(name: string): string {
  const [first = '', ...rest] = name;
  return first + '*'.repeat(rest.length);
}

/** '110*************34' */
export function maskIdNo(idNo: string): string {
  return `${idNo.slice(0, 3)}${'*'.repeat(idNo.length - 5)}${idNo.slice(-2)}`;
}

/** Spaces out, the middle dots of names written in one way: what two writings of one name have in common. */
export function sameName(a: string, b: string): boolean {
  const normal = (name: string): string =>
    name
      .normalize('NFKC')
      .replace(/\s+/g, '')
      .replace(/[•‧∙・．.]/g, '·');
  return normal(a) === normal(b);
}
