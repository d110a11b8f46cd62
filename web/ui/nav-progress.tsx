import { useNavigation } from 'react-router';

/**
 * The thin bar at the top while the next page is loading; its style waits 200 ms, so quick navigations show nothing.
 */
export function NavProgress() {
  const isLoading = useNavigation().state !== 'idle';
  return <div className="progress" role="progressbar" aria-label="页面加载中" hidden={!isLoading} />;
}
