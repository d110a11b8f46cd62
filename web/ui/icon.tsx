import type { ReactElement, SVGProps } from 'react';

/**
 * A component for a picture of lucide-react, by which the build replaces the library's own (web/build/plain-icons.ts): those of a page are as
 * many elements for React as the rest of it, and their names, keys and settings a tenth of what every page loads.
 * An icon without a label is hidden from screen readers.
 *
 * @param shapes what the picture is made of, as markup
 */
export function iconOf(shapes: string): (props: SVGProps<SVGSVGElement>) => ReactElement {
  return function Icon({ strokeWidth = 2, ...rest }) {
    return (
      <svg
        width="24"
        height="24"
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={strokeWidth}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden={rest['aria-label'] ? undefined : true}
        {...rest}
        dangerouslySetInnerHTML={{ __html: shapes }}
      />
    );
  };
}
