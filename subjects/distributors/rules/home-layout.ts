/** The layouts of a site's home page, by their stored numbers (product.md 2). */
export const HomeLayout = {
  Classic: 1,
  SearchFirst: 2,
  Exchange: 3,
  Directory: 4,
  Magazine: 5,
  Dashboard: 6,
  Board: 7,
} as const;
export type HomeLayout = (typeof HomeLayout)[keyof typeof HomeLayout];
