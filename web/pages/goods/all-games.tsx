export default function P() {
  return <p>all-games</p>;
}
